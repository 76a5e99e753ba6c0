/// An absolute path with single slashes and none at its end; nil for what is relative, has `.` or `..` among its parts
/// or a NUL in it. Paths so written can be compared.
func normalizedPath(_ text: String) -> String? {
    guard text.hasPrefix("/"), !text.utf8.contains(0) else { return nil }
    let parts = text.split(separator: "/")
    guard !parts.contains("."), !parts.contains("..") else { return nil }
    return "/" + parts.joined(separator: "/")
}
