import ControlAPI

/// Keeps web pages out: a browser that was talked into speaking to the socket, through a proxy or a rebound name, gives
/// itself away by what it sends. Pure.
enum RequestOrigin {
    /// Throws `forbidden` for a request that a program on this machine would not send.
    static func check(_ request: Request) throws(APIError) {
        // One that is not spelled as it should be might be another to somebody (RFC 9112, section 5.1).
        guard request.headers.allSatisfy({ isToken($0.name) }) else {
            throw .badRequest("a header's name has characters that none may have, such as a space before the colon")
        }
        guard !request.headers.contains(where: { isDisguised($0.name) }) else {
            throw .badRequest("a header that rules are made for is folded over several lines, or misspelled")
        }
        guard request.values(of: "origin").isEmpty, request.values(of: "referer").isEmpty else {
            throw .forbidden("web pages may not use this socket: no Origin, no Referer")
        }
        guard request.path.hasPrefix("/") else {
            throw .forbidden("the request's target must begin with '/'")
        }
        let hosts = request.values(of: "host")
        guard hosts.count <= 1, hosts.allSatisfy(isLocal) else {
            throw .forbidden("the Host header must be 'localhost', once")
        }
    }

    /// Whether it may be a header that something here decides by, under another name. libmicrohttpd appends the second
    /// line of a folded value (RFC 9112, section 5.2) not to the value but to the name: "Host: a" and " b" become a header
    /// "Hostb", which nobody would look for.
    private static func isDisguised(_ name: String) -> Bool {
        let name = name.lowercased()
        return deciding.contains { name != $0 && name.hasPrefix($0) }
    }

    private static let deciding = [
        "host", "origin", "referer", "content-length", "transfer-encoding", "content-encoding", "content-type",
        "expect",
    ]

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// `localhost` with or without a port, which may be empty (RFC 3986, section 3.2.3), or nothing.
    private static func isLocal(_ host: String) -> Bool {
        let host = trimmed(host.lowercased())
        let parts = host.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.first == "localhost" else { return host.isEmpty }
        guard parts.count == 2 else { return true }
        return parts[1].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && (parts[1].isEmpty || UInt16(parts[1]) != nil)
    }

    /// White space around a value is no part of it (RFC 9110, section 5.5); libmicrohttpd leaves what trails.
    private static func trimmed(_ value: String) -> Substring {
        var value = value[...]
        while let last = value.last, last == " " || last == "\t" { value.removeLast() }
        return value.drop { $0 == " " || $0 == "\t" }
    }
}
