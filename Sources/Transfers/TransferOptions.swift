package import Addresses
package import ImageInspection

/// How transfers are made and what they may cost. A plain value from the configuration; a transfer keeps the one that
/// it began with.
package struct TransferOptions: Sendable, Equatable {
    /// From the start of a hop to the moment its request is sent: look-up, connection and TLS together.
    package var connectTimeout: Duration = .seconds(10)
    /// Fewer than 1,000 bytes within this time, once the request is sent, is a stall.
    package var stallTimeout: Duration = .seconds(15)
    /// For the transfer as a whole, over all its redirects.
    package var pageTimeout: Duration = .seconds(120)
    package var maxRedirects = 5
    /// Over all transfers together; 0: no limit.
    package var maxBytesPerSecond: Int64 = 0
    /// Whether plain http may be spoken.
    package var allowHTTP = true
    package var addresses = AddressPolicy()
    /// Host → header name → value: sent to that host alone, over https alone, and no longer once a redirect has led
    /// to another host.
    package var headers: [String: [String: String]] = [:]
    /// The proxy's URL, with a scheme of http, https, socks5 or socks5h; nil: none. The proxy looks up the names of
    /// origins, whatever its kind, so that behind it only literal addresses can be refused. The environment is never
    /// read.
    package var proxy: String?
    package var userAgent = "storiesd"
    /// A PEM file of the authorities to trust in place of the system's.
    package var caFile: String?
    /// Bytes of UTF-8 that the target of a redirect may have.
    package var urlBytes = 8192
    /// Bytes of a body, both as received and as decoded.
    package var imageBytes: Int64 = 33_554_432
    /// Width × height.
    package var imagePixels = 50_000_000
    /// The kinds of picture that are taken; the Accept header says this list.
    package var imageTypes: [ImageType] = [.jpeg, .png, .gif, .webp, .avif, .heic]

    /// The defaults of the configuration.
    package init() {}

    /// The proxy as libcurl is handed it, CURLOPT_PROXY(3). Of `socks5` it would look up the origin's name itself,
    /// unchecked; `socks5h` leaves that to the proxy, as the others do.
    var proxyThatLooksUp: String? {
        guard let proxy, proxy.lowercased().hasPrefix("socks5:") else { return proxy }
        return "socks5h" + proxy.dropFirst("socks5".count)
    }
}
