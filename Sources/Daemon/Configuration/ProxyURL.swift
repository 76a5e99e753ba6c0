import Addresses

/// The address of a proxy: `scheme://[user:password@]host[:port]`. It prints without its user and password. Whichever
/// its scheme, the proxy looks up the names of origins: `socks5` means what `socks5h` does.
package struct ProxyURL: Sendable, Equatable, CustomStringConvertible {
    /// The whole URL, as libcurl takes it. It may hold a password.
    package let text: String

    /// The URL with a mask in place of user and password.
    package let description: String

    /// Whether it has the mask itself for a user and password.
    let isMasked: Bool

    static let schemes = ["http", "https", "socks5", "socks5h"]

    /// Nil where `text` has another scheme or form, a path or a query. A user or password with `@`, `/`, `?`, `#` or
    /// spaces in it has them percent-encoded.
    init?(_ text: String) {
        guard let colon = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<colon.lowerBound].lowercased()
        var authority = text[colon.upperBound...]
        if authority.hasSuffix("/") { authority.removeLast() }
        let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
        guard Self.schemes.contains(scheme), let site = parts.last, !site.isEmpty, parts.count <= 2,
            authority.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"/?#\\".utf8.contains($0) }),
            // The rules for host and port are those of any other URL.
            (try? WebURL("http://\(site)/")) != nil  // Why it is none is not said: the error states the whole form.
        else { return nil }
        self.text = text
        description = parts.count == 2 ? "\(scheme)://\(SecretMask.text)@\(site)" : "\(scheme)://\(site)"
        isMasked = parts.count == 2 && parts[0] == SecretMask.text
    }
}
