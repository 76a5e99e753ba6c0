package import JSON
internal import Platform

extension Manifest {
    /// The manifest as JSON, each key in its place and none left out.
    package var json: JSONObject {
        [
            "version": JSONValue(Self.version),
            "revision": JSONValue(revision),
            "id": .string(id.description),
            "group": JSONValue(group?.description),
            "group_fallback": .bool(groupFallback),
            "category": JSONValue(category),
            "state": .string(state.rawValue),
            "settled": .bool(settled),
            "fallback_reason": JSONValue(fallbackReason?.rawValue),
            "received_at": .string(receivedAt.description),
            "updated_at": .string(updatedAt.description),
            "alert": .object(alert.json),
            "pages": .array(pages.map { .object($0.json) }),
            "skipped": .array(skipped.map { .object($0.json) }),
            "user_info": .object(userInfo),
        ]
    }

    /// The file's text, as UTF-8: people read it too.
    package func serialized() -> [UInt8] {
        JSONValue.object(json).serializedBytes(.pretty) + [UInt8(ascii: "\n")]
    }

    /// Reads a manifest that `json` has written. What contradicts itself is refused; unknown keys are passed over.
    package init(json: JSONObject) throws(ManifestError) {
        let reader = ManifestReader(json)
        guard try reader.integer("version") == Self.version else {
            throw ManifestError(message: "\"version\": only \(Self.version) is known")
        }
        id = try reader.value("id", StoryID.init)
        group = try reader.optionalValue("group", GroupID.init)
        groupFallback = try reader.bool("group_fallback")
        revision = try reader.integer("revision", atLeast: 1)
        category = try reader.optionalString("category")
        settled = try reader.bool("settled")
        fallbackReason = try reader.optionalValue("fallback_reason", FallbackReason.init)
        receivedAt = try reader.value("received_at") { Timestamp($0) }
        updatedAt = try reader.value("updated_at") { Timestamp($0) }
        alert = try Alert(reader.reader("alert"))
        pages = []
        for page in try reader.readers("pages") { pages.append(try ManifestPage(page)) }
        var skipped: [SkippedPage] = []
        for page in try reader.readers("skipped") { skipped.append(try SkippedPage(page)) }
        self.skipped = skipped
        userInfo = try reader.reader("user_info").object
        guard pages.isEmpty == (fallbackReason != nil) else { throw reader.error("fallback_reason") }
        guard settled || !pages.isEmpty else { throw reader.error("settled") }
        guard group != nil || !groupFallback else { throw reader.error("group_fallback") }
        guard try reader.string("state") == state.rawValue else { throw reader.error("state") }
    }

    /// Reads a manifest's file.
    package init(bytes: [UInt8]) throws(ManifestError) {
        let root: JSONValue
        do {
            root = try JSONParser.parse(bytes)
        } catch {
            throw ManifestError(message: error.description)
        }
        guard let object = root.objectValue else { throw ManifestError(message: "not an object") }
        try self.init(json: object)
    }
}

extension Manifest: Equatable {
    /// Whether both say the same, text by text byte for byte.
    package static func == (left: Manifest, right: Manifest) -> Bool { left.json == right.json }
}

extension Alert {
    fileprivate var json: JSONObject {
        ["title": JSONValue(title), "subtitle": JSONValue(subtitle), "body": JSONValue(body)]
    }

    fileprivate init(_ reader: ManifestReader) throws(ManifestError) {
        title = try reader.optionalString("title")
        subtitle = try reader.optionalString("subtitle")
        body = try reader.optionalString("body")
    }
}

extension SkippedPage {
    fileprivate var json: JSONObject {
        ["index": JSONValue(index), "code": .string(code.rawValue), "message": .string(message)]
    }

    fileprivate init(_ reader: ManifestReader) throws(ManifestError) {
        index = try reader.integer("index")
        code = try reader.value("code", Code.init)
        message = try reader.string("message")
    }
}
