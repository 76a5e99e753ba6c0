import CCurl
import Glibc

/// What libcurl reads in a URL: the host, the port and the target of the request.
///
/// The only place where its URL API is called; the handle lives and dies within `init`.
struct URLParts {
    /// Lower-case ASCII; IPv6 without brackets and in its shortest form.
    let host: String
    let port: Int
    /// Path, without dot segments, and query; begins with a slash.
    let target: String

    /// Takes apart an http or https URL whose path and query are encoded already, and holds its host to what a name or
    /// an address may be.
    init(_ url: String) throws(WebURL.Problem) {
        guard let handle = curl_url() else { throw .bad("memory ran out") }
        defer { curl_url_cleanup(handle) }
        let status = curl_url_set(handle, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER))
        guard status == CURLUE_OK else { throw .bad(Self.reason(status)) }
        guard let path = Self.part(CURLUPART_PATH, of: handle),
            let port = Self.part(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) })
        else { throw .bad("it cannot be taken apart") }
        guard 1...65535 ~= port else { throw .bad("its port is out of range") }
        guard Self.part(CURLUPART_ZONEID, of: handle) == nil else { throw .bad("its address names a zone") }

        self.host = try Self.host(of: handle)
        self.port = port
        self.target = path + (Self.part(CURLUPART_QUERY, of: handle).map { $0.isEmpty ? "" : "?\($0)" } ?? "")
    }

    private static func host(of handle: OpaquePointer) throws(WebURL.Problem) -> String {
        guard var host = part(CURLUPART_HOST, of: handle) else { throw .bad("it has no host") }
        if !host.utf8.allSatisfy({ $0 < 0x80 }) {
            guard let converted = inUTF8Locale({ part(CURLUPART_HOST, of: handle, flags: UInt32(CURLU_PUNYCODE)) })
            else { throw .bad("its host name cannot be converted to ASCII") }
            host = converted
        }
        if host.utf8.first == UInt8(ascii: "[") {
            guard case .v6(let address)? = IPAddress(String(host.dropFirst().dropLast())) else {
                throw .bad("its IPv6 address does not parse")
            }
            return IPAddress.v6(address).description
        }
        host = host.lowercased()
        guard isHostName(host) else { throw .bad("its host is neither a name nor an address") }
        return host
    }

    /// Whether a host without brackets is a name (RFC 1123, and underscores, which are in use) or an IPv4 address.
    ///
    /// libcurl lets more pass, and the conversion to ASCII can bring forth any character, a slash among them. A name
    /// whose last label is a number is refused, as browsers do: what libcurl knew how to read as an address it has
    /// made one, and of the rest nobody knows who else would.
    private static func isHostName(_ host: String) -> Bool {
        guard host.utf8.count <= 254 else { return false }
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard let last = labels.last, labels.allSatisfy({ 1...63 ~= $0.utf8.count }) else { return false }
        let isDigit = { (byte: UInt8) in UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
        let isName = labels.allSatisfy { label in
            label.utf8.allSatisfy { isDigit($0) || "abcdefghijklmnopqrstuvwxyz-_".utf8.contains($0) }
        }
        let endsInNumber =
            last.utf8.allSatisfy(isDigit)
            || last.hasPrefix("0x") && last.utf8.dropFirst(2).allSatisfy { isDigit($0) || "abcdef".utf8.contains($0) }
        return isName && (!endsInNumber || IPAddress(host) != nil)
    }

    /// One part as text; nil where the URL has none or libcurl cannot convert it.
    private static func part(_ part: CURLUPart, of handle: OpaquePointer, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let status = curl_url_get(handle, part, &text, flags)
        // Freed after a failure too: where the conversion to punycode fails, libcurl leaves the plain host there.
        defer { curl_free(text) }
        guard status == CURLUE_OK, let text else { return nil }
        // SAFETY: after CURLUE_OK `text` is a NUL-terminated string of ours until curl_free(3), which runs later.
        return String(cString: text)
    }

    /// Runs `body` with UTF-8 as this thread's character set: libidn2 reads host names in the locale's, which in a
    /// daemon is ASCII. uselocale(3) changes nothing for other threads, and `body` does not suspend.
    private static func inUTF8Locale(_ body: () -> String?) -> String? {
        guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return nil }
        defer { freelocale(locale) }
        let previous = uselocale(locale)
        defer { uselocale(previous) }
        return body()
    }

    private static func reason(_ status: CURLUcode) -> String {
        switch status {
        case CURLUE_BAD_PORT_NUMBER: "its port is not a number up to 65535"
        case CURLUE_BAD_IPV6: "its IPv6 address does not parse"
        case CURLUE_BAD_HOSTNAME, CURLUE_NO_HOST: "its host is neither a name nor an address"
        case CURLUE_USER_NOT_ALLOWED: "it has a user name or password"
        default: "it does not parse"
        }
    }
}
