/// What a text of metrics says, series by series.
package struct MetricValues: Sendable {
    /// Values by the series as it is written, labels included.
    package private(set) var values: [String: Double] = [:]
    /// The types of the metrics by their names.
    package private(set) var types: [String: String] = [:]

    /// Throws for a line that is neither a comment nor a series and its value, and for a series that comes twice.
    package init(_ text: [UInt8]) throws {
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("#") {
                let words = line.split(separator: " ")
                if words[1] == "TYPE" { types[String(words[2])] = String(words[3]) }
                continue
            }
            let space = line.lastIndex(of: " ") ?? line.startIndex
            guard let value = Double(line[line.index(after: space)...]),
                values.updateValue(value, forKey: String(line[..<space])) == nil
            else { throw Tool.Failure(description: "no line of metrics, or a second of its series: \(line)") }
        }
    }

    /// The value of a series; not a number where it is missing, which is equal to nothing.
    package subscript(series: String) -> Double { values[series] ?? .nan }

    /// Those that must never fall: counters, and what histograms count.
    package var growing: [String: Double] {
        values.filter { series, _ in
            let name = String(series.prefix { $0 != "{" })
            return types[name].map { $0 == "counter" } ?? true
        }
    }
}
