package import Stories

/// Why a transfer brought no picture. Classified where the status, the CURLcode or the errno was seen.
package struct TransferFailure: Error, Sendable, Equatable {
    package let code: PageError.Code
    /// For people; never a URL's query.
    package let message: String
    /// The status that the origin answered with, where that is what failed.
    package let httpStatus: Int?
    /// How long the origin asks to be left alone.
    package let retryAfter: Duration?
    /// Whether the same request may succeed later.
    package let mayPass: Bool
    /// What the body's file holds of the picture, where a later transfer can go on with it; nil where it is of no use.
    package internal(set) var remains: Remains?

    /// `mayPass` follows from the code and the status where it is not given.
    package init(
        _ code: PageError.Code, _ message: String, httpStatus: Int? = nil, retryAfter: Duration? = nil,
        mayPass: Bool? = nil
    ) {
        self.code = code
        self.message = message
        self.httpStatus = httpStatus
        self.retryAfter = retryAfter
        self.mayPass = mayPass ?? Self.mayPass(code, httpStatus)
    }

    package static let cancelled = TransferFailure(.cancelled, "The transfer was cancelled.")

    /// The same failure of a transfer that leaves this. What does not pass, or befell the file, leaves nothing of use.
    func leaving(_ remains: Remains?) -> TransferFailure {
        guard mayPass || code == .cancelled, code != .noSpace, code != .io else { return self }
        var failure = self
        failure.remains = remains
        return failure
    }

    /// Whether both say the same of what failed; what remains of the body makes no other failure of it.
    package static func == (left: TransferFailure, right: TransferFailure) -> Bool {
        left.code == right.code && left.message == right.message && left.httpStatus == right.httpStatus
            && left.retryAfter == right.retryAfter && left.mayPass == right.mayPass
    }

    private static func mayPass(_ code: PageError.Code, _ status: Int?) -> Bool {
        switch code {
        case .dns, .connect, .tls, .connectionLost, .timeout, .stalled, .truncated, .noSpace, .io:
            true
        case .httpStatus:
            status.map { [408, 429, 500, 502, 503, 504].contains($0) } ?? false
        case .badURL, .urlTooLong, .schemeDenied, .addressDenied, .redirects, .badResponse, .tooLarge, .empty,
            .encoding, .notImage, .unsupportedType, .incompleteImage, .tooManyPixels, .cancelled:
            false
        }
    }
}
