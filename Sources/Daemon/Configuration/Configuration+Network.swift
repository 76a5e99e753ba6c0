package import Addresses
import Platform

extension Configuration {
    /// How pictures are fetched: the section `network`.
    package struct Network: Sendable, Equatable {
        package internal(set) var concurrency = 16
        package internal(set) var perHost = 6
        package internal(set) var connectTimeout = Duration.seconds(10)
        package internal(set) var stallTimeout = Duration.seconds(15)
        package internal(set) var pageTimeout = Duration.seconds(120)
        package internal(set) var maxAttempts = 4
        package internal(set) var retryBase = Duration.milliseconds(500)
        package internal(set) var retryCap = Duration.seconds(60)
        package internal(set) var retryHorizon = Duration.seconds(86_400)
        package internal(set) var maxRedirects = 5
        /// 0: no limit.
        package internal(set) var maxBytesPerSecond = 0
        package internal(set) var allowHTTP = true
        package internal(set) var allowedAddresses: [AddressRange] = []
        /// Host (as `WebURL.host` writes it) to header name to value. The values are secrets.
        package internal(set) var headers: [String: [String: String]] = [:]
        package internal(set) var proxy: ProxyURL?
        package internal(set) var userAgent = "storiesd/\(ProductVersion.current)"
        /// A file of PEM certificates in place of the system's.
        package internal(set) var caFile: String?
    }
}
