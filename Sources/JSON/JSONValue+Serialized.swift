extension JSONValue {
    /// The value as text. Slashes and non-ASCII characters stand as they are; numbers are in their shortest form
    /// that reads back the same; a number that is not finite becomes null. Compact text with sorted keys (by their
    /// UTF-8 bytes) is what Python's `json.dumps(sort_keys=True, separators=(",", ":"), ensure_ascii=False)` gives.
    package func serialized(_ style: JSONStyle = .compact, sortedKeys: Bool = false) -> String {
        String(decoding: serializedBytes(style, sortedKeys: sortedKeys), as: UTF8.self)
    }

    /// The same text as UTF-8.
    package func serializedBytes(_ style: JSONStyle = .compact, sortedKeys: Bool = false) -> [UInt8] {
        var writer = JSONWriter(style: style, sortedKeys: sortedKeys)
        writer.write(self)
        return writer.bytes
    }
}
