import Foundation
package import JSON

/// The payloads that tests drop.
package enum Payloads {
    /// A sample payload, its pictures at `origin` (scheme, host and port) instead of the host of examples.
    package static func sample(_ name: String, origin: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "StoriesTests/Payloads")
        let text = try String(contentsOf: folder.appending(path: "\(name).json"), encoding: .utf8)
        return Array(text.replacingOccurrences(of: "https://example.com", with: origin).utf8)
    }

    /// A notification by the name of `id`, of pages with these pictures.
    package static func story(_ id: String, images: [String]) -> [UInt8] {
        story(id, pages: images.map { ["image": .string($0)] })
    }

    /// A notification by the name of `id`, of these pages.
    package static func story(_ id: String, pages: [JSONValue]) -> [UInt8] {
        let aps: JSONValue = ["alert": ["title": "A story", "body": "Tap"], "category": "PW_STORIES"]
        let payload: JSONValue = ["aps": aps, "p": .string(id), "u": ["pw_stories": ["pages": .array(pages)]]]
        return payload.serializedBytes()
    }
}
