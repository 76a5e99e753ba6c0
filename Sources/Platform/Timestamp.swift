import Glibc

/// A moment of the wall clock, in whole milliseconds since 1970-01-01T00:00:00Z. For records that outlive the process;
/// durations are measured with `SuspendingClock`, which no one sets.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Milliseconds since the epoch.
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package init(seconds: Int64, nanoseconds: Int64 = 0) {
        milliseconds = seconds * 1000 + nanoseconds / 1_000_000
    }

    /// The wall clock now, clock_gettime(2).
    package static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }

    /// A text of the form that `description` writes; nil for any other.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24 else { return nil }
        func number(_ range: Range<Int>) -> Int32 {
            bytes[range].reduce(0) { $0 &* 10 &+ Int32($1) &- 48 }
        }
        var fields = tm()
        fields.tm_year = number(0..<4) - 1900
        fields.tm_mon = number(5..<7) - 1
        fields.tm_mday = number(8..<10)
        fields.tm_hour = number(11..<13)
        fields.tm_min = number(14..<16)
        fields.tm_sec = number(17..<19)
        milliseconds = Int64(timegm(&fields)) * 1000 + Int64(number(20..<23))
        // What is no digit, no such day or no such form does not come back as it was.
        guard description == text else { return nil }
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The moment that many seconds later.
    package func advanced(bySeconds seconds: Double) -> Timestamp {
        Timestamp(milliseconds: milliseconds + Int64((seconds * 1000).rounded()))
    }

    /// UTC with milliseconds, as RFC 3339 has it: `2026-01-02T03:04:05.678Z`.
    package var description: String {
        var (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1000) }
        var time = time_t(seconds)
        var fields = tm()
        gmtime_r(&time, &fields)
        func padded(_ value: some BinaryInteger, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = "\(padded(fields.tm_year + 1900, 4))-\(padded(fields.tm_mon + 1, 2))-\(padded(fields.tm_mday, 2))"
        let clock = "\(padded(fields.tm_hour, 2)):\(padded(fields.tm_min, 2)):\(padded(fields.tm_sec, 2))"
        return "\(date)T\(clock).\(padded(rest, 3))Z"
    }
}
