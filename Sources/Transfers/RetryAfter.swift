import Platform

/// The header Retry-After (RFC 9110, section 10.2.3): seconds, or a date.
enum RetryAfter {
    /// Far more than anyone waits; keeps sums of durations far from any overflow.
    static let longest: Duration = .seconds(10 * 366 * 86_400)

    /// How long to wait from `now` on; nil for what is neither a number nor a date to come.
    static func parse(_ text: String, now: Timestamp) -> Duration? {
        let bytes = text.utf8
        if !bytes.isEmpty, bytes.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            // More digits than an Int64 holds are more seconds than anyone waits.
            return Int64(text).map { min(.seconds($0), longest) } ?? longest
        }
        guard let date = HTTPDate.seconds(text) else { return nil }
        let wait = Duration.milliseconds(Timestamp(seconds: date).milliseconds - now.milliseconds)
        return wait > .zero ? min(wait, longest) : nil
    }
}
