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

    /// What announces a body (RFC 9112, section 6), also where it is folded and so not known by its name
    /// (`RequestOrigin`).
    private var announcements: [(name: String, value: String)] {
        headers.map { ($0.name.lowercased(), $0.value) }.filter { header in
            header.name.hasPrefix("content-length") || header.name.hasPrefix("transfer-encoding")
        }
    }

    /// Whether a body may follow the headers.
    var hasBody: Bool { announcements.contains { $0.name != "content-length" || $0.value != "0" } }

    /// Whether a body follows that is small, of known size, and sent without asking first (RFC 9110, section 10.1.1).
    /// Who sends one looks for an answer only after it: closed before that, the connection fails in the midst of it.
    var sendsLittleUnasked: Bool {
        let announcements = announcements
        guard hasBody, announcements.count == 1, announcements[0].name == "content-length",
            let size = Int(announcements[0].value)
        else { return false }
        return size <= Self.littleBody && values(of: "expect").isEmpty
    }

    /// In bytes: twice the largest payload, where that was not configured otherwise.
    private static let littleBody = 512 * 1024
}
