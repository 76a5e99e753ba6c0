package import JSON
package import Platform

/// The content of `latest.json`, the one file that a player watches: which story is the newest to show.
package struct LatestPointer: Sendable, Equatable {
    package let id: StoryID
    package let revision: Int
    package let settled: Bool
    package let receivedAt: Timestamp

    /// Points to a story as of this revision.
    package init(_ manifest: Manifest) {
        id = manifest.id
        revision = manifest.revision
        settled = manifest.settled
        receivedAt = manifest.receivedAt
    }

    /// The manifest's path, relative to `pw_stories_cache/`.
    package var manifest: String { ContainerLayout.manifest(of: id) }

    package var json: JSONObject {
        [
            "id": .string(id.description),
            "manifest": .string(manifest),
            "revision": JSONValue(revision),
            "settled": .bool(settled),
            "received_at": .string(receivedAt.description),
        ]
    }

    /// The file's text, as UTF-8.
    package func serialized() -> [UInt8] {
        JSONValue.object(json).serializedBytes(.pretty) + [UInt8(ascii: "\n")]
    }

    /// Reads a pointer that `json` has written.
    package init(json: JSONObject) throws(ManifestError) {
        let reader = ManifestReader(json)
        id = try reader.value("id", StoryID.init)
        revision = try reader.integer("revision", atLeast: 1)
        settled = try reader.bool("settled")
        receivedAt = try reader.value("received_at") { Timestamp($0) }
        guard try reader.string("manifest") == manifest else { throw reader.error("manifest") }
    }
}
