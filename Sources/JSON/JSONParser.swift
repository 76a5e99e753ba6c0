/// Reads one text into a tree: the structure of the grammar, on top of its strings, numbers and spaces.
///
/// A value that lives for one call of `parse`. It reads bytes by index and looks at most one escape ahead, so its
/// time grows with the text alone; its stack grows with `maximumDepth`, never with the text.
package struct JSONParser {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let bytes: [UInt8]
    let dialect: JSONDialect
    let maximumDepth: Int
    var position = 0
    private var depth = 0
    /// The keys that lead to the value being read, those of arrays left out.
    private var path: [String] = []
    /// The offsets of keys by the keys that lead there; nil where nobody asks for them.
    private var offsets: [[String]: Int]?

    /// How deep the objects lie whose keys are noted; the outermost is 1.
    private static let notedDepth = 2

    private init(_ bytes: [UInt8], dialect: JSONDialect, maximumDepth: Int) {
        self.bytes = bytes
        self.dialect = dialect
        self.maximumDepth = maximumDepth
    }

    /// The value that the whole text holds. Text that is not valid UTF-8 throughout, arrays and objects nested deeper
    /// than `maximumDepth` and anything after the value are refused.
    package static func parse(
        _ bytes: [UInt8], dialect: JSONDialect = .json, maximumDepth: Int = 512
    ) throws(JSONSyntaxError) -> JSONValue {
        try parse(bytes, dialect, maximumDepth, noting: nil).0
    }

    /// The value that the whole text holds, as above.
    package static func parse(
        _ text: String, dialect: JSONDialect = .json, maximumDepth: Int = 512
    ) throws(JSONSyntaxError) -> JSONValue {
        try parse(Array(text.utf8), dialect: dialect, maximumDepth: maximumDepth)
    }

    /// The value that the whole text holds, as above, and where its keys stand.
    package static func parseNotingPlaces(
        _ bytes: [UInt8], dialect: JSONDialect = .json, maximumDepth: Int = 512
    ) throws(JSONSyntaxError) -> (value: JSONValue, places: JSONMemberPlaces) {
        let (value, noted) = try parse(bytes, dialect, maximumDepth, noting: [:])
        return (value, JSONMemberPlaces(bytes: bytes, offsets: noted ?? [:]))
    }

    private static func parse(
        _ bytes: [UInt8], _ dialect: JSONDialect, _ maximumDepth: Int, noting offsets: [[String]: Int]?
    ) throws(JSONSyntaxError) -> (JSONValue, [[String]: Int]?) {
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw JSONSyntaxError("not valid UTF-8", at: error.byteOffsets.lowerBound, in: bytes)
        }
        var parser = JSONParser(bytes, dialect: dialect, maximumDepth: maximumDepth)
        parser.offsets = offsets
        return (try parser.text(), parser.offsets)
    }

    private mutating func text() throws(JSONSyntaxError) -> JSONValue {
        if bytes.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
        try skipSpace()
        let value = try value()
        try skipSpace()
        guard position == bytes.count else { throw error("unexpected text after the value") }
        return value
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        switch peek() {
        case nil: throw error("expected a value, found the end of the text")
        case UInt8(ascii: "{"): return try .object(object())
        case UInt8(ascii: "["): return try .array(array())
        case UInt8(ascii: "\""): return try string().map(JSONValue.string) ?? .null
        case UInt8(ascii: "'") where dialect == .json5: return try string().map(JSONValue.string) ?? .null
        case UInt8(ascii: "t"): return try word("true", is: .bool(true))
        case UInt8(ascii: "f"): return try word("false", is: .bool(false))
        case UInt8(ascii: "n"): return try word("null", is: .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: String, is value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        guard skip(word) else { throw error("expected a value") }
        return value
    }

    private mutating func array() throws(JSONSyntaxError) -> [JSONValue] {
        try enter()
        var elements: [JSONValue] = []
        while try !leave(UInt8(ascii: "]"), first: elements.isEmpty, after: "an element") {
            elements.append(try value())
        }
        return elements
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONObject {
        try enter()
        var object = JSONObject()
        var isFirst = true
        while try !leave(UInt8(ascii: "}"), first: isFirst, after: "a member") {
            isFirst = false
            let start = position
            let key = try key()
            try skipSpace()
            guard skip(UInt8(ascii: ":")) else { throw error("expected ':' after a key") }
            try skipSpace()
            let value = try value(of: key, at: start)
            if let key { object[key] = value }
        }
        return object
    }

    /// The value of the member whose key stands at `start`; the place of the key is noted where that is asked for.
    private mutating func value(of key: String?, at start: Int) throws(JSONSyntaxError) -> JSONValue {
        guard offsets != nil, let key else { return try value() }
        path.append(key)
        // Only where no array lies on the way.
        if depth <= Self.notedDepth, path.count == depth { offsets?[path] = start }
        let value = try value()
        path.removeLast()
        return value
    }

    /// The key, or nil where half a surrogate pair makes it unspeakable.
    private mutating func key() throws(JSONSyntaxError) -> String? {
        switch (peek(), dialect) {
        case (UInt8(ascii: "\""), _), (UInt8(ascii: "'"), .json5): return try string()
        case (_, .json5): return try identifier()
        case (_, .json): throw error("expected a key in double quotes")
        }
    }

    private mutating func enter() throws(JSONSyntaxError) {
        guard depth < maximumDepth else { throw error("nested deeper than \(maximumDepth)") }
        depth += 1
        position += 1
    }

    /// Passes over the comma before the next item, or over the bracket that closes an array or object and says so.
    private mutating func leave(
        _ bracket: UInt8, first isFirst: Bool, after item: String
    ) throws(JSONSyntaxError) -> Bool {
        try skipSpace()
        if !isFirst, peek() != bracket {
            guard skip(UInt8(ascii: ",")) else {
                throw error("expected ',' or '\(Character(Unicode.Scalar(bracket)))' after \(item)")
            }
            try skipSpace()
            if dialect == .json, peek() == bracket { throw error("a comma stands before the end") }
        }
        guard skip(bracket) else { return false }
        depth -= 1
        return true
    }
}

extension JSONParser {
    /// The byte `distance` after the position, or nil beyond the end.
    func peek(_ distance: Int = 0) -> UInt8? {
        let index = position + distance
        return index < bytes.count ? bytes[index] : nil
    }

    /// Passes over the byte if it is next.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    /// Passes over the ASCII word if it is next.
    mutating func skip(_ word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    /// The error at an offset, which is the position unless another is given.
    func error(_ message: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(message, at: offset ?? position, in: bytes)
    }
}
