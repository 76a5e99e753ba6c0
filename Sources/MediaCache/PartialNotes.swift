package import Hashing
import JSON

/// What lies beside a part of a download, so that it can be gone on with: where it is from, and how much of it is there. A
/// plain value; in its file it is one object of JSON.
///
/// It is believed in one thing only, what to ask the origin for: the file's bytes are held to the names here, and the
/// origin holds its own to the validator. Notes that are lost, old or garbled cost a fresh start.
package struct PartialNotes: Sendable, Equatable {
    /// The beginning of a file.
    struct Extent: Equatable {
        /// More than 0.
        let bytes: Int64
        /// The name of exactly these bytes.
        let content: ContentID
    }

    /// The cache's key of the URL that it is from.
    package let key: String
    /// What the origin tells by whether its bytes are still the same ones: for `If-Range`.
    package let validator: String
    /// The name of the URL that the bytes came from, where the redirects ended: what the validator holds for. Not that
    /// URL itself, which may be signed, and is needed only to tell whether another is the same.
    package let source: ContentID
    /// Bytes of the whole, where the origin has told.
    package let total: Int64?
    /// What was written. The end of a process does not take it, that of the machine may.
    let written: Extent
    /// What was waited for until it was on disk, where that is less.
    let synced: Extent?

    /// Notes that `bytes`, from the beginning, were written, which have the name `content`.
    package init(
        key: String, validator: String, source: ContentID, total: Int64?, bytes: Int64, content: ContentID
    ) {
        self.init(
            key: key, validator: validator, source: source, total: total,
            written: Extent(bytes: bytes, content: content), synced: nil)
    }

    private init(
        key: String, validator: String, source: ContentID, total: Int64?, written: Extent, synced: Extent?
    ) {
        self.key = key
        self.validator = validator
        self.source = source
        self.total = total
        self.written = written
        self.synced = synced
    }

    /// Bytes, from the beginning, that were written.
    package var bytes: Int64 { written.bytes }

    /// The same, beside what `earlier` says was on disk before, where that is less of the same body.
    func after(_ earlier: PartialNotes?) -> PartialNotes {
        let isLess = earlier.map { $0.isOfSameBody(as: self) && $0.bytes < bytes } ?? false
        return with(written, synced: isLess ? earlier?.written : nil)
    }

    /// Whether both are of one body, for certain.
    func isOfSameBody(as other: PartialNotes) -> Bool {
        key == other.key && source == other.source && validator == other.validator
    }

    /// The same of what was written, without a word of what was on disk before.
    var alone: PartialNotes { with(written, synced: nil) }

    /// What is to be tried where not all that was written is there; nil where there is nothing else.
    var fallback: PartialNotes? {
        synced.map { with($0, synced: nil) }
    }

    private func with(_ written: Extent, synced: Extent?) -> PartialNotes {
        PartialNotes(key: key, validator: validator, source: source, total: total, written: written, synced: synced)
    }

    // MARK: The file

    private static let version: Int64 = 2

    /// Nil where they are none of this version, to the last member.
    init?(file: [UInt8]) {
        guard let json = (try? JSONParser.parse(file, maximumDepth: 2))?.objectValue,
            let version = try? json.integer("version"), version == Self.version, let key = try? json.string("key"),
            let validator = try? json.string("validator"),
            let source = (try? json.string("source_xxh3_128")).flatMap({ ContentID(hex: $0) }),
            let written = Extent(json),
            json["total"]?.isNull == true || (json["total"]?.integerValue).map({ $0 >= written.bytes }) == true,
            let member = json["synced"]
        else { return nil }
        let synced = Extent(member.objectValue)
        guard member.isNull || synced.map({ $0.bytes < written.bytes }) == true else { return nil }
        self.init(
            key: key, validator: validator, source: source, total: json["total"]?.integerValue, written: written,
            synced: synced)
    }

    /// What its file holds.
    var file: [UInt8] {
        var json: JSONObject = [
            "version": JSONValue(Self.version), "key": .string(key), "validator": .string(validator),
            "source_xxh3_128": .string(source.hex), "total": JSONValue(total),
            "synced": synced.map { .object(JSONObject($0.members)) } ?? .null,
        ]
        for (name, value) in written.members { json[name] = value }
        return JSONValue.object(json).serializedBytes() + [UInt8(ascii: "\n")]
    }

    /// Bytes: more than the longest URL can make them.
    static let longestFile = 1 << 20

    /// The name of the notes on the partial of that name.
    static func fileName(of partial: String) -> String { partial + suffix }

    /// The name of the partial that a file in `.partial/` belongs to: its own, or that which it has notes on.
    static func partialName(of file: String) -> String {
        areNotes(file) ? String(file.dropLast(suffix.count)) : file
    }

    /// Whether a file in `.partial/` is notes.
    static func areNotes(_ file: String) -> Bool { file.hasSuffix(suffix) }

    private static let suffix = ".notes"
}

extension PartialNotes.Extent {
    fileprivate init?(_ json: JSONObject?) {
        guard let json, let bytes = try? json.integer("bytes"), bytes > 0,
            let content = (try? json.string("xxh3_128")).flatMap({ ContentID(hex: $0) })
        else { return nil }
        self.init(bytes: bytes, content: content)
    }

    fileprivate var members: [(String, JSONValue)] {
        [("bytes", JSONValue(bytes)), ("xxh3_128", .string(content.hex))]
    }
}
