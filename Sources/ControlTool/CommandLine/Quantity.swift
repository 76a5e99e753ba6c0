/// Sizes and times as people write them: a number, with a fraction perhaps, and a unit.
enum Quantity {
    /// Bytes: `4096`, `500M`, `1.5 GiB`. Units are powers of 1024, in letters of either case. Nil for anything else, and
    /// for what no `Int` holds.
    static func bytes(_ text: String) -> Int? {
        value(text) { unit in
            let unit = unit.hasSuffix("ib") ? unit.dropLast(2) : unit.hasSuffix("b") ? unit.dropLast() : unit[...]
            let scales: [Substring: Double] = ["": 1, "k": 0x1p10, "m": 0x1p20, "g": 0x1p30, "t": 0x1p40]
            return scales[unit]
        }
    }

    /// Seconds: `90s`, `15min`, `12h`, `7d`, `2w`. Nil as above.
    static func seconds(_ text: String) -> Int? {
        value(text) { unit in
            let scales: [String: Double] = ["s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800]
            return scales[unit]
        }
    }

    private static func value(_ text: String, _ scale: (_ unit: String) -> Double?) -> Int? {
        let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
        // Double reads ".5" and "5." too, and so do people.
        guard let number = Double(digits), let scale = scale(unit) else { return nil }
        return Int(exactly: (number * scale).rounded())
    }
}
