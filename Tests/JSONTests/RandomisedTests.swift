import JSON
import TestSupport
import Testing

/// Properties that hold for any tree and any text; each run is told by its seed.
struct RandomisedTests {
    @Test(arguments: 0..<300 as Range<UInt64>) func `what is written is read back the same`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = Self.value(depth: 5, using: &generator)
        #expect(try JSONParser.parse(value.serialized()) == value)
        #expect(try JSONParser.parse(value.serialized(.pretty)) == value)
        #expect(try JSONParser.parse(value.serialized(.compact, sortedKeys: true), dialect: .json5) == value)
        #expect(try JSONParser.parse(value.serializedBytes(.pretty, sortedKeys: true)) == value)
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func `damaged text is read or refused, never a trap`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let value = Self.value(depth: 4, using: &generator)
        var originals = [value.serializedBytes(), value.serializedBytes(.pretty)]
        originals.append(Array(#"{a:'\x41\u0041\ud83d\ude00\0',/**/b:[+.5e1,0xF,-Infinity,],"c":NaN}//"#.utf8))
        for original in originals {
            for _ in 0..<20 {
                let damaged = Self.damaged(original, using: &generator)
                for dialect in [JSONDialect.json, .json5] {
                    do throws(JSONSyntaxError) {
                        let value = try JSONParser.parse(damaged, dialect: dialect)
                        // What was read can be written and read again.
                        _ = try JSONParser.parse(value.serializedBytes(.pretty))
                    } catch {
                        #expect(error.line > 0 && error.column > 0 && 0...damaged.count ~= error.offset)
                    }
                }
            }
        }
    }

    @Test func `text cut anywhere is refused where it ends or before`() {
        let whole = Array(#"{"a": [1.5e3, "é\u00e9\ud83d\ude00", true, null], "b": {"c": -0.5}}"#.utf8)
        for length in 0..<whole.count {
            #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(whole[..<length])) }
            #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(whole[..<length]), dialect: .json5) }
        }
    }

    private static func damaged(_ original: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let index = bytes.indices.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[index] = .random(in: 0...255, using: &generator)
            case 1: bytes[index] = Array(#"{}[]:,"'\/*ux0-+.eE1NIt"#.utf8).randomElement(using: &generator) ?? 0
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(bytes[index], at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }

    private static func value(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth == 0 ? 6 : 10), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2:
            return .integer(
                Int128.random(in: .min ... .max, using: &generator) >> Int.random(in: 0..<128, using: &generator))
        case 3:
            let number = Double(bitPattern: generator.next())
            return .number(number.isFinite ? number : 0)
        case 4: return .number(Double(Int64.random(in: -1_000_000...1_000_000, using: &generator)) / 1000)
        case 5: return .string(string(using: &generator))
        case 6, 7:
            return .array(
                (0..<Int.random(in: 0...5, using: &generator)).map { _ in value(depth: depth - 1, using: &generator) })
        default:
            // At times more members than are searched one by one.
            let count = Int.random(in: 0...(depth == 1 ? 40 : 5), using: &generator)
            return .object(
                JSONObject(
                    (0..<count).map { _ in (string(using: &generator), value(depth: depth - 1, using: &generator)) }))
        }
    }

    private static func string(using generator: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x7F...0x7FF, 0x2020...0x2030, 0x1_F600...0x1_F640,
        ]
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            let range = ranges.randomElement(using: &generator) ?? 0x20...0x7E
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}
