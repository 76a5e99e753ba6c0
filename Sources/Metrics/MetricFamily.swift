/// One metric: its name, what it tells, and its series. A plain value, made afresh for each text.
///
/// Names follow the conventions of Prometheus: base units (seconds, bytes) at the end, `_total` after that on whatever
/// only grows. A label's values must be few and known beforehand: each makes a series that is kept for long.
package struct MetricFamily: Sendable, Equatable {
    /// What a collector may do with the values; the raw values are the words of the text format.
    package enum Kind: String, Sendable {
        /// Never falls while the process lives.
        case counter
        case gauge
        case histogram
    }

    /// One line of the text: a series and its value now.
    struct Sample: Sendable, Equatable {
        /// What follows the family's name.
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        let value: Double

        static func == (left: Sample, right: Sample) -> Bool {
            left.suffix == right.suffix && left.value == right.value
                && left.labels.elementsEqual(right.labels, by: ==)
        }
    }

    package let name: String
    /// One sentence for people.
    package let help: String
    package let kind: Kind
    let samples: [Sample]

    private init(_ name: String, _ help: String, _ kind: Kind, _ samples: [Sample]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    /// What only grows; its name ends in `_total`.
    package static func counter(_ name: String, _ help: String, _ value: Double) -> MetricFamily {
        MetricFamily(name, help, .counter, [Sample(value: value)])
    }

    package static func counter(_ name: String, _ help: String, _ value: Int) -> MetricFamily {
        counter(name, help, Double(value))
    }

    /// A counter for each value of a label.
    package static func counter(
        _ name: String, _ help: String, by label: String, _ values: [(String, Int)]
    ) -> MetricFamily {
        MetricFamily(name, help, .counter, values.map { Sample(labels: [(label, $0.0)], value: Double($0.1)) })
    }

    /// What rises and falls.
    package static func gauge(_ name: String, _ help: String, _ value: Double) -> MetricFamily {
        MetricFamily(name, help, .gauge, [Sample(value: value)])
    }

    package static func gauge(_ name: String, _ help: String, _ value: Int) -> MetricFamily {
        gauge(name, help, Double(value))
    }

    /// A gauge for each value of a label.
    package static func gauge(
        _ name: String, _ help: String, by label: String, _ values: [(String, Int)]
    ) -> MetricFamily {
        MetricFamily(name, help, .gauge, values.map { Sample(labels: [(label, $0.0)], value: Double($0.1)) })
    }

    /// Durations; the name ends in `_seconds`.
    package static func histogram(_ name: String, _ help: String, _ histogram: Histogram) -> MetricFamily {
        let buckets = histogram.cumulative.map { bound, count in
            Sample(suffix: "_bucket", labels: [("le", MetricsText.number(bound))], value: Double(count))
        }
        let sums = [
            Sample(suffix: "_sum", value: histogram.sum), Sample(suffix: "_count", value: Double(histogram.count)),
        ]
        return MetricFamily(name, help, .histogram, buckets + sums)
    }
}
