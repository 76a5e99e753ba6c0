extension JSONValue {
    /// About how many bytes of memory the tree takes: what bounds on many of them are counted in.
    package var footprint: Int {
        switch self {
        case .null, .bool, .integer, .number: MemoryLayout<JSONValue>.stride
        case .string(let text): MemoryLayout<JSONValue>.stride + text.utf8.count
        case .array(let elements): elements.reduce(MemoryLayout<JSONValue>.stride) { $0 + $1.footprint }
        case .object(let object): object.footprint
        }
    }
}

extension JSONObject {
    /// About how many bytes of memory the tree takes.
    package var footprint: Int {
        members.reduce(MemoryLayout<JSONValue>.stride) {
            $0 + MemoryLayout<String>.stride + $1.key.utf8.count + $1.value.footprint
        }
    }
}
