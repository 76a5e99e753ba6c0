package import Hashing
import JSON

/// What lies beside a part of a download, so that it can be gone on with: where it is from, and how much of it is on disk
/// for certain. A plain value; in its file it is one object of JSON.
///
/// It is believed in one thing only, what to ask the origin for: the file's bytes are held to `content`, and the origin
/// holds its own to the validator. Notes that are lost, old or garbled cost a fresh start.
package struct PartialNotes: Sendable, Equatable {
    /// The cache's key of the URL that it is from.
    package let key: String
    /// What the origin tells by whether its bytes are still the same ones: for `If-Range`.
    package let validator: String
    /// Bytes of the whole, where the origin has told.
    package let total: Int64?
    /// Bytes, from the beginning, that are on disk; more than 0.
    package let bytes: Int64
    /// The name of exactly these bytes.
    package let content: ContentID

    package init(key: String, validator: String, total: Int64?, bytes: Int64, content: ContentID) {
        self.key = key
        self.validator = validator
        self.total = total
        self.bytes = bytes
        self.content = content
    }

    private static let version: Int64 = 1

    /// Nil where they are none of this version, to the last member.
    init?(file: [UInt8]) {
        guard let json = (try? JSONParser.parse(file, maximumDepth: 1))?.objectValue,
            let version = try? json.integer("version"), version == Self.version, let key = try? json.string("key"),
            let validator = try? json.string("validator"), let bytes = try? json.integer("bytes"), bytes > 0,
            let content = (try? json.string("xxh3_128")).flatMap({ ContentID(hex: $0) }),
            json["total"]?.isNull == true || (json["total"]?.integerValue).map({ $0 >= bytes }) == true
        else { return nil }
        self.init(
            key: key, validator: validator, total: json["total"]?.integerValue, bytes: bytes, content: content)
    }

    /// What its file holds.
    var file: [UInt8] {
        let json: JSONValue = [
            "version": JSONValue(Self.version), "key": .string(key), "validator": .string(validator),
            "total": total.map { JSONValue($0) } ?? .null, "bytes": JSONValue(bytes), "xxh3_128": .string(content.hex),
        ]
        return json.serializedBytes() + [UInt8(ascii: "\n")]
    }

    /// Bytes: more than the longest URL can make them.
    static let longestFile = 1 << 20

    /// The name of the notes on the partial of that name.
    static func fileName(of partial: String) -> String { partial + suffix }

    /// The name of the partial that a file in `.partial/` belongs to: its own, or that which it has notes on.
    static func partialName(of file: String) -> String {
        file.hasSuffix(suffix) ? String(file.dropLast(suffix.count)) : file
    }

    /// Whether a file in `.partial/` is notes.
    static func areNotes(_ file: String) -> Bool { file.hasSuffix(suffix) }

    private static let suffix = ".notes"
}
