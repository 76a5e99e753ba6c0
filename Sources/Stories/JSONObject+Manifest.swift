internal import JSON
internal import Platform

/// Reading the fields of a manifest. All of them are always there; `null` is written where one does not apply.
extension JSONObject {
    /// The value that `read` takes from the object.
    func field<Value>(
        _ read: (JSONObject) throws(JSONFieldError) -> Value
    ) throws(ManifestError) -> Value {
        do {
            return try read(self)
        } catch {
            throw ManifestError(message: error.message)
        }
    }

    /// The value that a string stands for.
    func field<Value>(_ key: String, _ make: (String) -> Value?) throws(ManifestError) -> Value {
        let text = try field { object throws(JSONFieldError) in try object.string(key) }
        guard let value = make(text) else { throw ManifestError(message: "\"\(key)\": not of the right form") }
        return value
    }

    /// The value that a string stands for; nil where there is null.
    func optionalField<Value>(_ key: String, _ make: (String) -> Value?) throws(ManifestError) -> Value? {
        guard self[key]?.isNull != true else { return nil }
        return try field(key, make)
    }
}
