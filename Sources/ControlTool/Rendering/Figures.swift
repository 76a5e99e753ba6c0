import Platform

/// Numbers as people say them.
enum Figures {
    /// Bytes: `512 B`, `47.1 KiB`, `1.0 GiB`.
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1024 else { return "\(bytes) B" }
        var value = Double(bytes)
        for unit in ["KiB", "MiB", "GiB", "TiB"] {
            value /= 1024
            // 1023.95 would be written as 1024.0: that is 1.0 of the next.
            if value < 1023.95 || unit == "TiB" { return "\(tenths(value)) \(unit)" }
        }
        return "\(bytes) B"
    }

    /// Seconds with a tenth: `1.2 s`; as a span from a minute on.
    static func duration(seconds: Double) -> String {
        seconds < 60 ? "\(tenths(max(0, seconds))) s" : span(seconds: Int(seconds))
    }

    /// A span in its two largest units: `45 s`, `3 min 5 s`, `1 d 2 h`.
    static func span(seconds: Int) -> String {
        var rest = max(0, seconds)
        var parts: [String] = []
        for (unit, length) in [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)] {
            let (count, remainder) = rest.quotientAndRemainder(dividingBy: length)
            if count > 0 { parts.append("\(count) \(unit)") } else if !parts.isEmpty { break }
            rest = remainder
        }
        return parts.isEmpty ? "0 s" : parts.prefix(2).joined(separator: " ")
    }

    /// How long ago a moment was: `just now`, `3 min ago`, `2 h ago`; the date where it is more than 30 days.
    static func age(of moment: Timestamp, now: Timestamp) -> String {
        let seconds = Int((now.milliseconds - moment.milliseconds) / 1000)
        let distance = abs(seconds)
        guard distance >= 5 else { return "just now" }
        guard distance <= 30 * 86_400 else { return String(moment.description.prefix(10)) }
        let (unit, length) =
            switch distance {
            case ..<60: ("s", 1)
            case ..<3600: ("min", 60)
            case ..<86_400: ("h", 3600)
            default: ("d", 86_400)
            }
        let amount = "\(distance / length) \(unit)"
        return seconds > 0 ? "\(amount) ago" : "in \(amount)"
    }

    /// `1 story`, `2 stories`.
    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
