/// The text that collectors read: version 0.0.4 of Prometheus' exposition format.
package enum MetricsText {
    /// All of these, in this order.
    package static func bytes(_ families: [MetricFamily]) -> [UInt8] {
        var text = ""
        for family in families {
            text += "# HELP \(family.name) \(escaped(family.help))\n# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                let labels = sample.labels.map { #"\#($0.name)="\#(escaped($0.value, quotes: true))""# }
                let braces = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
                text += "\(family.name)\(sample.suffix)\(braces) \(number(sample.value))\n"
            }
        }
        return Array(text.utf8)
    }

    /// As the format has numbers: whole ones without a point.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int(exactly: value).map(String.init) ?? value.description
    }

    /// A backslash, a line feed and, where it stands between quotes, a quote.
    private static func escaped(_ text: String, quotes: Bool = false) -> String {
        // By scalars: a line feed that follows a carriage return makes one character with it.
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\": escaped += #"\\"#
            case "\n": escaped += #"\n"#
            case "\"" where quotes: escaped += #"\""#
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
