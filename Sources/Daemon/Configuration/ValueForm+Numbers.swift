import JSON

extension ValueForm where Value == Int {
    /// A whole number, `5.0` included; `unit` is what it counts, such as "bytes".
    static func count(of unit: String? = nil, _ range: ClosedRange<Int>, _ meaningOfZero: String? = nil) -> Self {
        let number = unit.map { "a whole number of \($0)" } ?? "a whole number"
        let zero = meaningOfZero.map { " (0: \($0))" } ?? ""
        return Self(rule: "\(number) from \(range.lowerBound) to \(range.upperBound)\(zero)") { (json) throws(Misfit) in
            guard let integer = json.integerValue, let value = Int(exactly: integer), range ~= value else {
                throw Misfit(found: json)
            }
            return value
        } write: { value in
            JSONValue(value)
        }
    }
}

extension ValueForm where Value == Duration {
    /// A number of seconds, fractions included; kept to the nanosecond.
    static func seconds(_ range: ClosedRange<Double>, _ meaningOfZero: String? = nil) -> Self {
        let zero = meaningOfZero.map { " (0: \($0))" } ?? ""
        let rule = "a number of seconds from \(text(range.lowerBound)) to \(text(range.upperBound))\(zero)"
        return Self(rule: rule) { (json) throws(Misfit) in
            // NaN is in no range.
            guard let seconds = json.doubleValue, range ~= seconds else { throw Misfit(found: json) }
            return .nanoseconds(Int64((seconds * 1e9).rounded()))
        } write: { duration in
            let (seconds, attoseconds) = duration.components
            guard attoseconds != 0 else { return JSONValue(seconds) }
            // Whole nanoseconds divided once: the nearest double to what was written, which prints as it was.
            return .number(Double(seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / 1e9)
        }
    }

    private static func text(_ seconds: Double) -> String {
        Int(exactly: seconds).map(String.init) ?? String(seconds)
    }
}

extension ValueForm where Value == [UInt32] {
    /// User ids. The largest number of 32 bits is none: the kernel takes it for "no user" (chown(2)).
    static var userIDs: Self {
        Self(rule: "a list of user ids, whole numbers from 0 to 4294967294") { (json) throws(Misfit) in
            try elements(of: json) { (element) throws(Misfit) in
                guard let id = element.integerValue.flatMap(UInt32.init(exactly:)), id != .max else {
                    throw Misfit(found: element)
                }
                return id
            }
        } write: { ids in
            .array(ids.map { JSONValue($0) })
        }
    }
}

/// The elements of a list, each read by `read`; anything but a list is a misfit.
func elements<Element>(
    of json: JSONValue, _ read: (JSONValue) throws(Misfit) -> Element
) throws(Misfit) -> [Element] {
    guard case .array(let elements) = json else { throw Misfit(found: json) }
    var values: [Element] = []
    for element in elements { values.append(try read(element)) }
    return values
}
