import ControlAPI
import Glibc
import JSON

/// How far a story is that is waited for. A value: the manifest says what is so, events only how many bytes have come
/// meanwhile; of these any may be missing.
struct StoryProgress {
    let id: String
    /// Nil: without a group.
    let group: String?
    /// Where the daemon has put its manifest; nil where that is not known.
    private let manifestPath: String?
    /// Whether a manifest of it has been seen: who may hand a story in need not be one who may read it.
    private(set) var isSeen = false
    private(set) var state = "prefetching"
    private(set) var isSettled = false
    private(set) var fallbackReason: String?
    private(set) var pages: [PageProgress] = []

    init(id: String, group: String?, manifestPath: String? = nil) {
        self.id = id
        self.group = group
        self.manifestPath = manifestPath
    }

    /// By a manifest alone.
    init(manifest: JSONObject) {
        self.init(id: manifest["id"]?.stringValue ?? "", group: manifest["group"]?.stringValue)
        take(manifest: manifest)
    }

    var cached: Int { pages.count { $0.state == "cached" } }

    /// Whether nothing is missing: all pages are cached, or there are none to be.
    var isWhole: Bool { isSettled && (state == "ready" || state == "fallback") }

    /// Whether its manifest is gone from the disk, as far as this user can tell: the daemon's answer is the same for what
    /// was removed and for what this user may not read, but who may not read it cannot look into its container either.
    var isGone: Bool {
        guard let manifestPath else { return false }
        let places = manifestPath.split(separator: "/", omittingEmptySubsequences: false)
        // Of all stories there. Without it nothing is known: it need not be mounted where this program runs.
        guard access(places.dropLast(2).joined(separator: "/"), X_OK) == 0 else { return false }
        return access(manifestPath, F_OK) != 0 && errno == ENOENT
    }

    /// Takes a manifest of the story.
    mutating func take(manifest: JSONObject) {
        isSeen = true
        state = manifest["state"]?.stringValue ?? state
        isSettled = manifest["settled"]?.boolValue ?? isSettled
        fallbackReason = manifest["fallback_reason"]?.stringValue
        pages = (manifest["pages"]?.arrayValue ?? []).compactMap(\.objectValue).enumerated().map { place, object in
            let index = object["index"]?.integerValue.map { Int($0) } ?? place
            var page = pages.first { $0.index == index } ?? PageProgress(index: index)
            page.take(manifest: object)
            return page
        }
    }

    /// Takes an event, where it tells of the bytes of one of its pages.
    mutating func take(_ event: Event, at seconds: Double) {
        guard case .pageProgress(let told) = event.news, event.id == id, event.group == group,
            let place = pages.firstIndex(where: { $0.index == told.index })
        else { return }
        pages[place].take(bytes: told.bytes, total: told.total, at: seconds)
    }
}
