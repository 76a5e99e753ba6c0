/// Lays a tree out as UTF-8; lives for one call of `serialized`.
struct JSONWriter {
    let style: JSONStyle
    let sortedKeys: Bool
    private(set) var bytes: [UInt8] = []
    private var depth = 0

    /// What nests deeper than this is written on one line: hundreds of levels, each indented, would make a text hundreds
    /// of times as long as it was.
    private static let deepestLines = 6

    init(style: JSONStyle, sortedKeys: Bool) {
        self.style = style
        self.sortedKeys = sortedKeys
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .integer(let integer): append(String(integer))
        case .number(let number): append(Self.text(of: number))
        case .string(let string): write(string)
        case .array(let elements): write(elements)
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ elements: [JSONValue]) {
        write(elements, between: "[", and: "]") { writer, element in writer.write(element) }
    }

    private mutating func write(_ object: JSONObject) {
        var members = object.members
        if sortedKeys { members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
        write(members, between: "{", and: "}") { writer, member in
            writer.write(member.key)
            writer.append(writer.style == .pretty ? ": " : ":")
            writer.write(member.value)
        }
    }

    private mutating func write<Item>(
        _ items: [Item], between open: String, and close: String, item write: (inout JSONWriter, Item) -> Void
    ) {
        append(open)
        depth += 1
        let breaks = style == .pretty && depth <= Self.deepestLines
        for (index, item) in items.enumerated() {
            if index > 0 { append(",") }
            if breaks { breakLine() }
            write(&self, item)
        }
        depth -= 1
        if breaks, !items.isEmpty { breakLine() }
        append(close)
    }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private mutating func write(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0A: append("\\n")
            case 0x0C: append("\\f")
            case 0x0D: append("\\r")
            case 0..<0x20: append((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Swift and Python both give the shortest digits that read back the same, and differ only in where whole
    /// numbers turn to an exponent: Swift after 2^53, Python from 10^16. Between the two the digits are exact.
    private static func text(of number: Double) -> String {
        guard number.isFinite else { return "null" }
        let turn = 0x1p53..<1e16
        return turn.contains(number.magnitude) ? "\(Int64(number)).0" : number.description
    }
}
