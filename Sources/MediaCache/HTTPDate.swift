import Glibc
import Platform

/// The dates of HTTP (RFC 9110, section 5.6.7): the preferred form and the two old ones that must be understood.
enum HTTPDate {
    /// The moment that `text` names; nil where it is no such date. `now` decides the century of two-digit years.
    static func parse(_ text: String, now: Timestamp) -> Timestamp? {
        let words = text.split { $0 == " " || $0 == "," }.map(String.init)
        // Sun, 06 Nov 1994 08:49:37 GMT
        if words.count == 6, words[5] == "GMT" {
            return moment(year: number(words[3], digits: 4), month: words[2], day: words[1], clock: words[4])
        }
        // Sunday, 06-Nov-94 08:49:37 GMT
        if words.count == 4, words[3] == "GMT" {
            let date = words[1].split(separator: "-").map(String.init)
            guard date.count == 3, let short = number(date[2], digits: 2) else { return nil }
            return moment(year: year(short, now: now), month: date[1], day: date[0], clock: words[2])
        }
        // Sun Nov  6 08:49:37 1994
        if words.count == 5 {
            return moment(year: number(words[4], digits: 4), month: words[1], day: words[2], clock: words[3])
        }
        return nil
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func moment(year: Int32?, month: String, day: String, clock: String) -> Timestamp? {
        let time = clock.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let year, year >= 1900, let month = months.firstIndex(of: month), time.count == 3,
            let day = number(day, digits: 2) ?? number(day, digits: 1), 1...31 ~= day,
            let hour = number(time[0], digits: 2), hour < 24, let minute = number(time[1], digits: 2), minute < 60,
            // 60 is a leap second.
            let second = number(time[2], digits: 2), second <= 60
        else { return nil }
        var fields = tm()
        fields.tm_year = year - 1900
        fields.tm_mon = Int32(month)
        fields.tm_mday = day
        fields.tm_hour = hour
        fields.tm_min = minute
        fields.tm_sec = second
        return Timestamp(seconds: Int64(timegm(&fields)))
    }

    private static func number(_ text: String, digits: Int) -> Int32? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int32(text)
    }

    /// A two-digit year that seems to be more than 50 years ahead is the last one past that ended so.
    private static func year(_ short: Int32, now: Timestamp) -> Int32 {
        var seconds = time_t(now.milliseconds / 1000)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        let current = fields.tm_year + 1900
        let candidate = current - current % 100 + short
        return candidate > current + 50 ? candidate - 100 : candidate
    }
}
