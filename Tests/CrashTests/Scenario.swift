import ControlAPI
import JSON
import Platform
import Stories
import TestOrigins
import TestSupport

/// The life of a daemon in some hundred steps: payloads of all kinds, downloads, a hit, a copy, a revalidation, a retry,
/// a download that breaks off and goes on, a replacement, a deletion, and an eviction. The same each time, in a place and with an origin of its own.
final class Scenario: Sendable {
    /// Room for about ten of the pictures; what fails is tried again at once.
    static let settings = [
        "cache.max_bytes=65536", "cache.min_free_bytes=0", "cache.min_free_inodes=0", "network.retry_base=0.01",
        "network.retry_cap=0.01", "network.max_attempts=4", "inbox_rescan=0.1",
    ]

    let place: DaemonPlace
    let ledger: Ledger
    let foreign: ForeignFiles
    private let origin: ScriptedOrigin

    /// What lies in the inbox before the daemon starts is there for good.
    init(steps: @escaping @Sendable () -> Int = { 0 }) throws {
        place = try DaemonPlace()
        ledger = Ledger(steps: steps)
        try place.provision("shop")
        foreign = try ForeignFiles(in: place)
        origin = try ScriptedOrigin()
        let fresh = ["Cache-Control: max-age=3600"]
        for (path, picture) in Self.pictures { origin.script(path, .ok(picture, headers: fresh)) }
        origin.script("/2", .validated(Self.pictures["/2"] ?? [], etag: "\"2\""))
        origin.script("/3", .status("503 Service Unavailable"), .ok(Self.pictures["/3"] ?? [], headers: fresh))
        // It breaks off half-way the first time: what has come is kept, and gone on with.
        let hasBegun = Locked(false)
        origin.respond(to: "/4") { request in
            let picture = Self.pictures["/4"] ?? []
            let isFirst = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            return isFirst
                ? .begun(picture, picture.count / 2, then: .close) : .file(picture, etag: "\"v1\"", to: request)
        }
        for payload in first {
            ledger.keep(payload)
            try place.drop(payload.name, payload.bytes, group: payload.group)
        }
    }

    /// About 100 KB in all.
    private static let pictures: [String: [UInt8]] = {
        let sizes = [6_000, 6_000, 6_000, 6_000, 6_000, 20_000, 20_000]
        let named = sizes.enumerated().map { number, size in
            ("/\(number + 1)", SampleImages.png(seed: number, bytes: size))
        }
        return Dictionary(uniqueKeysWithValues: named)
    }()

    // MARK: Payloads

    private var first: [Handed] {
        let notification: JSONValue = [
            "content": "Tap", "ios_category_custom": "PW_STORIES", "ios_root_params": ["p": "s"],
            "data": [
                "pw_stories": ["pages": [["image": .string(origin.url("/4"))], ["image": .string(origin.url("/1"))]]]
            ],
        ]
        let request: JSONValue = ["request": ["notifications": [notification, notification]]]
        let fallback: JSONValue = ["aps": ["alert": "Only text", "category": "PW_STORIES"], "p": "f"]
        return [
            story("a", "shop", "/1", "/2", "/3", file: "a.json"),
            Handed("several.json", request.serializedBytes(), stories: ["s-0", "s-1"]),
            Handed("fallback.json", fallback.serializedBytes(), stories: ["f"]),
            Handed("wrong.json", Array("[1]".utf8), stories: []),
        ]
    }

    private func story(
        _ id: String, _ group: String?, _ paths: String..., file: String? = nil, picture: String? = nil
    ) -> Handed {
        Handed(
            file ?? "story \(id)", Payloads.story(id, images: paths.map { origin.url($0) }), group: group,
            stories: [id], picture: picture.map { origin.url($0) })
    }

    // MARK: What happens

    /// Plays it to its end, SIGTERM included; calls `inMidst` after its first part. Throws where the daemon ends before,
    /// or something does not come about.
    func play(_ daemon: DaemonProcess, inMidst: () -> Void = {}) async throws {
        try await daemon.wait("the first payloads are done with") {
            try isReady("a", "shop") && isReady("s-0") && isReady("s-1") && isReady("f")
                && place.names("\(place.inbox)/.rejected") == ["wrong.json", "wrong.json.reason.json"] && isIdle(daemon)
        }
        inMidst()
        // A hit, and a revalidation of what another container has.
        try await hand(story("b", nil, "/1", "/2"), to: daemon)
        // The same name, other content.
        let again = story("a", "shop", "/1", "/5", file: "again.json", picture: "/5")
        ledger.keep(again)
        try place.drop(again.name, again.bytes, group: again.group)
        try await daemon.wait("the story is replaced") {
            try again.isDone(in: place) && isReady("a", "shop") && isIdle(daemon)
        }
        ledger.letGo("s-0")
        try await daemon.wait("a story is deleted") {
            let answer = try? daemon.answer(.delete(id: "s-0", group: nil))
            return answer?.isSuccess == true || answer?.status == 404
        }
        // It needs the room of all that is older and not wanted, and of the oldest stories.
        ledger.letGo("s-1", "f")
        try await hand(story("c", "shop", "/6", "/7"), to: daemon)
        try await daemon.wait("all is at rest") { isIdle(daemon) }
        try await end(daemon)
    }

    /// The same where most of it may fail: each thing is asked for once, and what is promised counts.
    func playShort(_ daemon: DaemonProcess) async throws {
        try await daemon.waitUntilReady()
        let posted = story("b", nil, "/1", "/2")
        if try daemon.answer(.accept(posted.bytes, group: posted.group)).isSuccess { ledger.keep(posted) }
        let again = story("a", "shop", "/1", "/5", file: "again.json", picture: "/5")
        ledger.keep(again)
        try place.drop(again.name, again.bytes, group: again.group)
        ledger.letGo("s-0")
        _ = try daemon.answer(.delete(id: "s-0", group: nil))
        _ = try daemon.status()
        try await end(daemon)
    }

    private func end(_ daemon: DaemonProcess) async throws {
        guard try await daemon.terminate() == .exited(0) else {
            throw DaemonProcess.Failure(description: "it did not end as asked\n\(daemon.log)")
        }
    }

    private func isReady(_ id: String, _ group: String? = nil) throws -> Bool {
        guard let state = try place.manifest(id, group: group)?.state else { return false }
        return state == .ready || state == .fallback
    }

    /// Whether it has nothing left to do, by what it tells.
    private func isIdle(_ daemon: DaemonProcess) -> Bool {
        // One that does not answer is not.
        guard let status = try? daemon.status() else { return false }
        return status.inbox.pending == 0 && status.stories.prefetching == 0
            && status.transfers.active + status.transfers.queued == 0
    }

    /// Over the socket; asked again until it is accepted.
    private func hand(_ payload: Handed, to daemon: DaemonProcess) async throws {
        try await daemon.wait("\(payload.name) is accepted") {
            // Refused, or not answered: asked again.
            (try? daemon.answer(.accept(payload.bytes, group: payload.group)))?.isSuccess == true
        }
        ledger.keep(payload)
        try await daemon.wait("\(payload.name) is ready") {
            try payload.stories.allSatisfy { try isReady($0, payload.group) }
        }
    }
}
