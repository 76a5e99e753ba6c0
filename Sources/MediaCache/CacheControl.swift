/// What a `Cache-Control` header says to a private cache (RFC 9111, section 5.2.2). Directives that mean nothing to one
/// (`private`, `s-maxage`, …) and those it does not know are passed over.
struct CacheControl: Equatable {
    /// The answer must serve nobody but the one who asked.
    private(set) var isNoStore = false
    /// The answer is to be asked for again before each use.
    private(set) var isNoCache = false
    /// The answer never changes while it is fresh.
    private(set) var isImmutable = false
    /// Seconds; nil where there is none. One that cannot be read makes the answer stale (RFC 9111, section 4.2.1).
    private(set) var maxAge: Int64?

    init(_ text: String) {
        for directive in Self.directives(text) {
            let parts = directive.split(separator: "=", maxSplits: 1)
            guard let name = parts.first.map({ Self.trimmed($0).lowercased() }) else { continue }
            switch name {
            case "no-store": isNoStore = true
            // With a list of fields it speaks of these alone, but to take it whole is always allowed.
            case "no-cache": isNoCache = true
            case "immutable": isImmutable = true
            // Of several the first counts, as the RFC has it.
            case "max-age" where maxAge == nil: maxAge = parts.count == 2 ? Self.seconds(parts[1]) ?? 0 : 0
            default: break
            }
        }
    }

    /// A whole number of seconds, perhaps in quotes; one too large for its type is as large as can be.
    static func seconds(_ text: some StringProtocol) -> Int64? {
        let digits = trimmed(text).filter { $0 != "\"" }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        // Beyond 2^31 all are the same (RFC 9111, section 1.2.2).
        return min(Int64(digits) ?? .max, 1 << 31)
    }

    /// The parts between commas; a comma in quotes divides nothing.
    private static func directives(_ text: String) -> [Substring] {
        var isQuoted = false
        return text.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
