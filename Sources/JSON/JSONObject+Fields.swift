/// Reading members by type: the plain name wants the member there and of that type; `optional…` gives nil where it is
/// absent or null. Another type throws in both.
extension JSONObject {
    /// The text under the key.
    package func string(_ key: String) throws(JSONFieldError) -> String {
        try required(key, "a string", \.stringValue)
    }

    /// The text under the key, if any.
    package func optionalString(_ key: String) throws(JSONFieldError) -> String? {
        try optional(key, "a string", \.stringValue)
    }

    /// The truth value under the key.
    package func bool(_ key: String) throws(JSONFieldError) -> Bool {
        try required(key, "true or false", \.boolValue)
    }

    /// The whole number under the key, one that `Int64` holds; `5.0` is such a number.
    package func integer(_ key: String) throws(JSONFieldError) -> Int64 {
        try required(key, "an integer", \.integerValue)
    }

    /// The whole number under the key, if any; one that `Int64` holds.
    package func optionalInteger(_ key: String) throws(JSONFieldError) -> Int64? {
        try optional(key, "an integer", \.integerValue)
    }

    /// The number, written as an integer or not, under the key.
    package func double(_ key: String) throws(JSONFieldError) -> Double {
        try required(key, "a number", \.doubleValue)
    }

    /// The elements of the array under the key.
    package func array(_ key: String) throws(JSONFieldError) -> [JSONValue] {
        try required(key, "an array", \.arrayValue)
    }

    /// The members of the object under the key.
    package func object(_ key: String) throws(JSONFieldError) -> JSONObject {
        try required(key, "an object", \.objectValue)
    }

    /// The members of the object under the key, if any.
    package func optionalObject(_ key: String) throws(JSONFieldError) -> JSONObject? {
        try optional(key, "an object", \.objectValue)
    }

    private func required<Value>(
        _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(JSONFieldError) -> Value {
        let found = self[key]
        guard let value = found.flatMap(read) else {
            throw JSONFieldError(field: key, expected: expected, found: found)
        }
        return value
    }

    private func optional<Value>(
        _ key: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(JSONFieldError) -> Value? {
        guard let found = self[key], !found.isNull else { return nil }
        return try required(key, expected, read)
    }
}
