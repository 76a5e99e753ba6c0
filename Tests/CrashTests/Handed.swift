import Addresses
import Stories
import TestSupport

/// A payload that is handed to a daemon, and what must come of it.
struct Handed: Sendable {
    /// Of its file, or what it is called in a finding.
    let name: String
    let bytes: [UInt8]
    let group: String?
    /// The names of its stories; none where it must be rejected.
    let stories: [String]
    /// Whether it is a file that is dropped in the inbox.
    var isDropped: Bool { name.hasSuffix(".json") }
    /// A picture that tells its stories from earlier ones of the same names.
    let picture: String?

    init(_ name: String, _ bytes: [UInt8], group: String? = nil, stories: [String], picture: String? = nil) {
        self.name = name
        self.bytes = bytes
        self.group = group
        self.stories = stories
        self.picture = picture
    }

    /// Nil where it is not lost: it lies in the inbox, claimed, waiting or rejected, or each of its stories has a
    /// manifest, but for `gone`.
    func loss(in place: DaemonPlace, but gone: Set<String>) throws -> String? {
        let isInInbox = try place.inboxFiles().contains { file in
            // It may be on its way from one name to the next.
            (try? FileBytes.read("\(place.inbox)/\(file)")) == bytes
        }
        if isInInbox { return nil }
        if stories.isEmpty { return "\(name) was not rejected, and is gone" }
        let lost = stories.filter { story in !gone.contains(story) && !hasStory(story, in: place) }
        return lost.isEmpty ? nil : "\(name) is gone, and has no manifest: \(lost.joined(separator: ", "))"
    }

    /// Whether each of its stories has a manifest.
    func isDone(in place: DaemonPlace) -> Bool {
        stories.allSatisfy { hasStory($0, in: place) }
    }

    private func hasStory(_ id: String, in place: DaemonPlace) -> Bool {
        guard let manifest = try? place.manifest(id, group: group) else { return false }
        guard let picture else { return true }
        return manifest.pages.contains { $0.page.url.request == picture }
    }
}
