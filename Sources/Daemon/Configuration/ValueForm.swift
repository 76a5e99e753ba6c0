import JSON

/// The form that the values of one key have in JSON: what is legal, how it is read and how it is written.
struct ValueForm<Value: Equatable & Sendable>: Sendable {
    /// What a value must be, to stand after "must be" and in documentation: `a whole number from 1 to 1024`.
    let rule: String
    let read: @Sendable (JSONValue) throws(Misfit) -> Value
    /// What `read` would read again, with secrets masked.
    let write: @Sendable (Value) -> JSONValue

    /// The form of `form` where null is legal too and stands for nothing.
    static func orNull<Wrapped>(_ form: ValueForm<Wrapped>) -> Self where Value == Wrapped? {
        Self(rule: "null or \(form.rule)") { (json) throws(Misfit) in
            json.isNull ? nil : try form.read(json)
        } write: { value in
            value.map(form.write) ?? .null
        }
    }
}
