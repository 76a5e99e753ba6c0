/// What a client asked, copied out of libmicrohttpd: as sent, nothing decoded.
struct Request: Sendable {
    let method: String
    /// The target up to its `?`.
    let path: String
    /// Names and values of the query, in order.
    let query: [(name: String, value: String)]
    /// Names and values of the headers, in order, each that was sent.
    let headers: [(name: String, value: String)]

    /// The values of each header of that name, whatever its case.
    func values(of header: String) -> [String] {
        headers.filter { $0.name.lowercased() == header }.map(\.value)
    }

    /// Whether a body follows the headers (RFC 9112, section 6).
    var hasBody: Bool {
        !values(of: "transfer-encoding").isEmpty || values(of: "content-length").contains { $0 != "0" }
    }
}
