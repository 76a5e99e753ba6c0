import JSON
import TestSupport

/// Payloads at random: trees that are likely to hold what the parser looks for, in good and bad form.
enum PayloadTrees {
    private static let keys = [
        "pw_stories", "pages", "image", "duration", "link", "button_title", "title", "subtitle", "u", "userdata", "aps",
        "alert", "body", "category", "p", "request", "notifications", "content", "ios_title", "ios_root_params", "data",
        "en", "é", "",
    ]
    private static let texts = [
        "", "PW_STORIES", "https://example.com/1.jpg", "http://[::1]/a?b#c", "https://:@/", "file:///etc/hostname",
        "javascript:x", "yourapp://page1", "3!f", "..", "{}", "[]", "{\"pw_stories\": {\"pages\": []}}",
        "e\u{301}\u{0}",
        "\u{10FFFF}", "0123456789abcdef0123456789abcdef",
    ]

    static func value(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth == 0 ? 5 : 14), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .integer(.random(in: .min ... .max, using: &generator))
        case 3: return .number(Double(bitPattern: generator.next()))
        case 4: return .string(texts.randomElement(using: &generator) ?? "")
        case 5: return .string(value(depth: depth - 1, using: &generator).serialized())
        case 6, 7:
            let count = Int.random(in: 0...4, using: &generator)
            return .array((0..<count).map { _ in value(depth: depth - 1, using: &generator) })
        default: return object(depth: depth, using: &generator)
        }
    }

    private static func object(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            object[keys.randomElement(using: &generator) ?? ""] = value(depth: depth - 1, using: &generator)
        }
        return .object(object)
    }

    /// An element of `pages` that is no page.
    static func badPage(using generator: inout SeededGenerator) -> JSONValue {
        var page = value(depth: 3, using: &generator)
        if var fields = page.objectValue {
            fields["image"] = [nil, "", "x", "file:///x", 7].randomElement(using: &generator) ?? nil
            page = .object(fields)
        }
        return page
    }

    /// The same tree with the members of each object in another order.
    static func shuffled(_ value: JSONValue, using generator: inout SeededGenerator) -> JSONValue {
        switch value {
        case .array(let elements):
            return .array(elements.map { shuffled($0, using: &generator) })
        case .object(let object):
            let members = object.members.shuffled(using: &generator)
            return .object(JSONObject(members.map { ($0.key, shuffled($0.value, using: &generator)) }))
        default: return value
        }
    }

    /// The text with a few of its bytes changed, lost, doubled or cut off.
    static func damaged(_ original: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<9, using: &generator) {
            case 0: bytes[index] = .random(in: 0...255, using: &generator)
            case 1...4: bytes[index] = Array("{}[]:,\"\\/ux0-.eE1ab".utf8).randomElement(using: &generator) ?? 0
            case 5, 6: bytes.remove(at: index)
            case 7: bytes.insert(bytes[index], at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
