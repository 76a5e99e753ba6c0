import JSON

/// A value that is not of its key's form.
struct Misfit: Error {
    /// What is wrong with it, to stand after the rule: `found 0`.
    let finding: String

    init(_ finding: String) {
        self.finding = finding
    }

    /// The value itself is the finding; not for secrets.
    init(found json: JSONValue) {
        switch json {
        case .number(let number) where number.isNaN:
            self.init("found NaN")
        case .number(let number) where number.isInfinite:
            self.init("found \(number < 0 ? "-" : "")Infinity")
        case .array, .object:
            self.init(kindOf: json)
        default:
            let text = json.serialized()
            self.init("found \(text.count > 80 ? "\(text.prefix(80))…" : text)")
        }
    }

    /// Only the value's kind is told.
    init(kindOf json: JSONValue) {
        switch json {
        case .null: self.init("found null")
        case .bool: self.init("found true or false")
        case .integer, .number: self.init("found a number")
        case .string: self.init("found a string")
        case .array: self.init("found a list")
        case .object: self.init("found an object")
        }
    }
}
