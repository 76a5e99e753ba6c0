package import JSON

extension MediaReport {
    /// Throws where a member is missing or of another type.
    package init(json: JSONObject) throws(JSONFieldError) {
        self.init(
            url: try json.string("url"),
            // A state of a newer daemon is none in which it serves.
            state: State(rawValue: try json.string("state")) ?? .absent,
            object: try json.optionalObject("object").map { object throws(JSONFieldError) in
                try Object(json: object)
            },
            groups: try json.array("groups").map(\.stringValue), etag: try json.optionalString("etag"),
            lastModified: try json.optionalString("last_modified"), obtainedAt: try json.optionalString("obtained_at"),
            freshUntil: try json.optionalString("fresh_until"),
            stories: try json.objects("stories") { element throws(JSONFieldError) in
                Holder(id: try element.string("id"), group: try element.optionalString("group"))
            })
    }

    /// As it is sent.
    package var json: JSONObject {
        [
            "url": .string(url),
            "state": .string(state.rawValue),
            "object": object.map { .object($0.json) } ?? .null,
            "groups": .array(groups.map { JSONValue($0) }),
            "etag": JSONValue(etag),
            "last_modified": JSONValue(lastModified),
            "obtained_at": JSONValue(obtainedAt),
            "fresh_until": JSONValue(freshUntil),
            "stories": .array(stories.map { .object(["id": .string($0.id), "group": JSONValue($0.group)]) }),
        ]
    }
}

extension MediaReport.Object {
    fileprivate init(json: JSONObject) throws(JSONFieldError) {
        self.init(
            file: try json.string("file"), bytes: try json.count("bytes"), mediaType: try json.string("media_type"),
            width: try json.count("width"), height: try json.count("height"), frames: try json.count("frames"),
            contentID: try json.string("xxh3_128"))
    }

    fileprivate var json: JSONObject {
        [
            "file": .string(file), "bytes": JSONValue(bytes), "media_type": .string(mediaType),
            "width": JSONValue(width), "height": JSONValue(height), "frames": JSONValue(frames),
            "xxh3_128": .string(contentID),
        ]
    }
}
