/// What came out for one thing, once for each time that it was measured; in the unit of whoever measures.
struct Samples {
    private var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    mutating func add(_ other: Samples) { values += other.values }

    var minimum: Double { quantile(0) }
    var median: Double { quantile(0.5) }
    var maximum: Double { quantile(1) }

    /// The least value that so great a share of all does not exceed, 0 to 1; not a number where there is none.
    func quantile(_ share: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        return values.sorted()[Int((share * Double(values.count - 1)).rounded(.up))]
    }

    /// Each value through `change`, such as into another unit.
    func map(_ change: (Double) -> Double) -> Samples {
        var result = Samples()
        result.values = values.map(change)
        return result
    }
}

extension Duration {
    /// In seconds.
    var seconds: Double { self / .seconds(1) }
}
