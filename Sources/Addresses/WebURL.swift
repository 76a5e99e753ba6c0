/// An absolute http or https URL that may be requested: checked, encoded and normalised once, where it enters.
///
/// A plain value. libcurl's URL API is the one parser behind it, so that what was checked, what names the cache entry
/// and what is fetched cannot differ. Its texts for people carry no query, which may hold a signature or a token.
package struct WebURL: Hashable, Sendable, CustomStringConvertible {
    /// How the origin is spoken to.
    package enum Scheme: String, Hashable, Sendable {
        case http, https

        /// The port of a URL that names none.
        package var defaultPort: Int {
            switch self {
            case .http: 80
            case .https: 443
            }
        }
    }

    /// What libcurl is handed: absolute, percent-encoded, without fragment. Escapes are as they came.
    package let request: String
    /// The identity of the address: equal for all spellings of it. Itself a URL.
    package let key: String
    package let scheme: Scheme
    /// Lower-case ASCII: a name (an international one as punycode), or an address, IPv6 without its brackets.
    package let host: String
    /// The port, named or default; 1 to 65535.
    package let port: Int

    /// Checks and takes apart `text`.
    ///
    /// In this order: a text over `maximumBytes` of UTF-8 is too long; control characters, and spaces at either end,
    /// are bad; so is what has no scheme; a scheme other than https, or http where `allowHTTP`, is denied before
    /// libcurl sees it; then the host is asked for, without a user, password or backslash beside it.
    package init(_ text: String, maximumBytes: Int = 8192, allowHTTP: Bool = true) throws(Problem) {
        guard text.utf8.count <= maximumBytes else { throw .tooLong(limit: maximumBytes) }
        // A C string ends at a NUL, and a line of HTTP at a CR or LF: none of them gets any further.
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { throw .bad("it has control characters") }
        guard text.utf8.first != UInt8(ascii: " "), text.utf8.last != UInt8(ascii: " ") else {
            throw .bad("it begins or ends with a space")
        }
        let (scheme, rest) = try Self.splitScheme(text, allowHTTP: allowHTTP)
        let (authority, target) = try Self.splitAuthority(rest)
        let parts = try URLParts("\(scheme.rawValue)://\(authority)\(PercentEncoding.encoded(target.utf8))")

        self.scheme = scheme
        host = parts.host
        port = parts.port
        let site = Self.site(scheme, host: parts.host, port: parts.port == scheme.defaultPort ? nil : parts.port)
        request = site + parts.target
        // Decoding `%2e` may bring forth dot segments, which libcurl then removes like any other.
        key = site + (try URLParts(site + PercentEncoding.normalized(parts.target))).target
    }

    /// The URL that a redirect from this one leads to, under the rules of the plain initialiser; from https to http
    /// is denied. `location` is absolute, as CURLINFO_REDIRECT_URL gives it.
    package func redirect(
        to location: String, maximumBytes: Int = 8192, allowHTTP: Bool = true
    ) throws(Problem) -> WebURL {
        try WebURL(location, maximumBytes: maximumBytes, allowHTTP: allowHTTP && !isSecure)
    }

    /// Whether the transfer is encrypted.
    package var isSecure: Bool { scheme == .https }

    /// `scheme://host:port`: where it is fetched from, for logs.
    package var origin: String { Self.site(scheme, host: host, port: port) }

    /// The host as an address, where it is one and not a name.
    package var literalAddress: IPAddress? { IPAddress(host) }

    /// The URL for logs, metrics and errors: `…` stands for the query.
    package var logDescription: String {
        guard let mark = request.utf8.firstIndex(of: UInt8(ascii: "?")) else { return request }
        return request[..<mark] + "?…"
    }

    /// `logDescription`: whatever prints a URL without care prints no query.
    package var description: String { logDescription }

    /// The key without the query parameters whose name is one of `patterns`, where a trailing `*` stands for any
    /// ending. Names are compared decoded, upper and lower case apart.
    package func key(ignoring patterns: [String]) -> String {
        guard !patterns.isEmpty, let mark = key.utf8.firstIndex(of: UInt8(ascii: "?")) else { return key }
        let patterns = patterns.map { Array($0.utf8) }
        let kept = key[key.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).filter {
            let name = PercentEncoding.decoded($0.prefix { $0 != "=" })
            return !patterns.contains { Self.matches(name, pattern: $0) }
        }
        return kept.isEmpty ? String(key[..<mark]) : key[...mark] + kept.joined(separator: "&")
    }

    /// The scheme that `text` begins with, whichever it is, in lower case (RFC 3986, section 3.1); nil where there is
    /// none, as in a relative reference.
    package static func schemeName(of text: String) -> String? {
        func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = text.utf8[..<colon]
        guard let first = name.first, isLetter(first),
            name.allSatisfy({ isLetter($0) || "0123456789+-.".utf8.contains($0) })
        else { return nil }
        return Substring(name).lowercased()
    }

    private static func matches(_ name: [UInt8], pattern: [UInt8]) -> Bool {
        pattern.last == UInt8(ascii: "*") ? name.starts(with: pattern.dropLast()) : name == pattern
    }

    private static func site(_ scheme: Scheme, host: String, port: Int?) -> String {
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return "\(scheme.rawValue)://\(host)" + (port.map { ":\($0)" } ?? "")
    }

    private static func splitScheme(_ text: String, allowHTTP: Bool) throws(Problem) -> (Scheme, Substring.UTF8View) {
        guard let name = schemeName(of: text) else { throw .bad("it is not an absolute URL") }
        guard let scheme = Scheme(rawValue: name), allowHTTP || scheme != .http else {
            throw .schemeDenied(String(name.prefix(32)))
        }
        return (scheme, text.utf8.dropFirst(name.utf8.count + 1))
    }

    private static func splitAuthority(
        _ rest: Substring.UTF8View
    ) throws(Problem) -> (authority: Substring, target: Substring) {
        // libcurl would read `http:/x` and `http:///x` as the host x; nobody else does.
        guard rest.starts(with: "//".utf8) else { throw .bad("two slashes and a host must follow the scheme") }
        let afterSlashes = rest.dropFirst(2)
        let end = afterSlashes.firstIndex { "/?#".utf8.contains($0) } ?? afterSlashes.endIndex
        let authority = afterSlashes[..<end]
        guard !authority.isEmpty else { throw .bad("it has no host") }
        guard !authority.contains(UInt8(ascii: "@")) else { throw .bad("it has a user name or password") }
        guard !authority.contains(UInt8(ascii: "\\")) else { throw .bad("it has a backslash in the host") }
        let target = afterSlashes[end...].prefix { $0 != UInt8(ascii: "#") }
        return (Substring(authority), Substring(target))
    }
}
