package import Platform

/// Why a page has no picture, in the words of the manifest.
package struct PageError: Error, Equatable, Sendable {
    /// The closed list that players and operators match on.
    package enum Code: String, CaseIterable, Sendable {
        case badURL = "bad_url"
        case urlTooLong = "url_too_long"
        case schemeDenied = "scheme_denied"
        case addressDenied = "address_denied"
        case dns
        case connect
        case tls
        case connectionLost = "connection_lost"
        case timeout
        case stalled
        case httpStatus = "http_status"
        case redirects
        case badResponse = "bad_response"
        case truncated
        case tooLarge = "too_large"
        case empty
        case encoding
        case notImage = "not_image"
        case unsupportedType = "unsupported_type"
        case incompleteImage = "incomplete_image"
        case tooManyPixels = "too_many_pixels"
        case noSpace = "no_space"
        case io
        case cancelled
    }

    package let code: Code
    /// For people; never a URL's query.
    package let message: String
    /// The status that the origin answered with, where that is what failed.
    package let httpStatus: Int?
    /// When the page is tried again; nil where it is not.
    package let retryAt: Timestamp?

    package init(_ code: Code, _ message: String, httpStatus: Int? = nil, retryAt: Timestamp? = nil) {
        self.code = code
        self.message = message
        self.httpStatus = httpStatus
        self.retryAt = retryAt
    }
}
