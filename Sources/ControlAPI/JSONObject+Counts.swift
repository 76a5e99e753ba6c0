import JSON

/// Readers that the answers share.
extension JSONObject {
    /// The whole number under the key, as what counts things or bytes.
    func count(_ key: String) throws(JSONFieldError) -> Int {
        Int(try integer(key))
    }

    /// The objects of the array under the key, each read by `read`; elements that are no objects are passed over.
    func objects<Element>(
        _ key: String, _ read: (JSONObject) throws(JSONFieldError) -> Element
    ) throws(JSONFieldError) -> [Element] {
        var elements: [Element] = []
        for element in try array(key).compactMap(\.objectValue) { elements.append(try read(element)) }
        return elements
    }
}
