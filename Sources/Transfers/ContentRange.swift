/// What a header `Content-Range` says (RFC 9110, section 14.4), in bytes. A plain value.
enum ContentRange: Equatable {
    /// The body is the bytes from `first` to `last`, both included, of `total`; nil where the origin does not tell.
    case part(first: Int64, last: Int64, total: Int64?)
    /// Of so many bytes there was none that was asked for.
    case none(of: Int64)

    /// Nil for any other text, other units than bytes included.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        if sides[0] == "*" {
            guard let total = Self.number(sides[1]) else { return nil }
            self = .none(of: total)
            return
        }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
            return nil
        }
        let total = Self.number(sides[1])
        guard total.map({ last < $0 }) ?? (sides[1] == "*") else { return nil }
        self = .part(first: first, last: last, total: total)
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int64(text)
    }
}
