import ControlAPI
import Glibc
import JSON
import Platform

/// `storiesctl prefetch`: hands a payload in, and waits for its stories where that is asked for. Blocks meanwhile.
struct PrefetchRun {
    let order: Command.Prefetch
    let client: ControlClient
    let socketPath: String
    let surroundings: Surroundings
    let print: ([UInt8]) throws -> Void
    let complain: (String) -> Void

    /// How often a waiting terminal is drawn anew.
    private static let period = Duration.milliseconds(100)
    /// What no daemon takes is not sent either, in bytes.
    private static let largestPayload = 256 << 20

    /// Without words for people: what the daemon answers is printed as it is.
    func runForPrograms() throws -> ExitCode {
        let start = ContinuousClock.now
        let response = try client.send(.accept(payload(), group: order.group, wait: order.wait))
        try print(response.body)
        let object = try response.object()
        guard let wait = order.wait else { return .done }
        guard response.status == 200 else { return unsettled(wait, since: start) }
        return Self.exitCode(Self.stories(settled: object))
    }

    /// For people.
    func run() throws -> ExitCode {
        let payload = try payload()
        guard let wait = order.wait else {
            let response = try client.send(.accept(payload, group: order.group))
            for story in try response.decoded(Acceptance.init(json:)).stories {
                try show(["Accepted \(name(story.id, story.group)): \(DisplayText.clean(story.manifest))"])
            }
            return .done
        }
        let start = ContinuousClock.now
        let stories = try surroundings.canRedraw ? watch(payload, wait, start) : settle(payload, wait)
        let view = SettledView(
            stories: stories, seconds: Self.seconds(ContinuousClock.now - start), palette: surroundings.palette)
        try show(view.lines)
        return stories.allSatisfy(\.isSettled) ? Self.exitCode(stories) : unsettled(wait, since: start)
    }

    /// The stories when they are settled or the time is up, by one request.
    private func settle(_ payload: [UInt8], _ wait: Int) throws(ControlClientError) -> [StoryProgress] {
        let response = try client.send(.accept(payload, group: order.group, wait: wait))
        let object = try response.object()
        guard response.status != 200 else { return Self.stories(settled: object) }
        var stories = try progress(of: response)
        try refresh(&stories)
        return stories
    }

    /// The same, drawn meanwhile.
    private func watch(_ payload: [UInt8], _ wait: Int, _ start: ContinuousClock.Instant) throws -> [StoryProgress] {
        let screen = try LiveScreen(surroundings)
        // Also when something fails: the complaint stands where the bars were.
        defer { screen.close() }
        let feed = try EventFeed(socketPath: socketPath)
        var stories = try progress(of: client.send(.accept(payload, group: order.group)))
        while true {
            try refresh(&stories)
            // Who may not read it is told its end by the answer to a request that waits. Handed in again it is the same
            // story. One that is gone would come back to life: it has been told of as such.
            guard stories.allSatisfy(\.isSeen) else { return try settle(payload, wait) }
            let now = ContinuousClock.now
            // What is none of this program's events concerns nobody here.
            for event in feed.take().compactMap({ try? Event(json: $0) }) {
                for index in stories.indices { stories[index].take(event, at: Self.seconds(now - start)) }
            }
            guard !stories.allSatisfy(\.isSettled), now - start < .seconds(wait) else { return stories }
            try screen.draw(ProgressView(stories: stories, size: surroundings.canvas).lines)
            pause()
        }
    }

    /// Asks for the manifest of each story that is not settled. One that is not to be found stays unseen; where it was seen
    /// before, or is gone from the disk, it was removed, and that is an error.
    private func refresh(_ stories: inout [StoryProgress]) throws(ControlClientError) {
        for index in stories.indices where !stories[index].isSettled {
            let story = stories[index]
            do throws(ControlClientError) {
                let manifest = try client.send(.story(id: story.id, group: story.group ?? "")).object()
                stories[index].take(manifest: manifest)
            } catch .refused(let refusal) where refusal.status == 404 {
                guard story.isSeen || story.isGone else { continue }
                throw .refused(.notFound("story \(name(story.id, story.group)) was removed while it was waited for"))
            }
        }
    }

    private func progress(of response: ControlResponse) throws(ControlClientError) -> [StoryProgress] {
        try response.decoded(Acceptance.init(json:)).stories.map {
            StoryProgress(id: $0.id, group: $0.group, manifestPath: $0.manifest)
        }
    }

    /// Those of the answer to a request that has waited: one manifest, or a list of them.
    private static func stories(settled object: JSONObject) -> [StoryProgress] {
        guard let list = object["stories"]?.arrayValue else { return [StoryProgress(manifest: object)] }
        return list.compactMap(\.objectValue).map(StoryProgress.init(manifest:))
    }

    private static func exitCode(_ stories: [StoryProgress]) -> ExitCode {
        stories.allSatisfy(\.isWhole) ? .done : .pagesMissing
    }

    /// The daemon has answered a request that waits before the stories were settled.
    private func unsettled(_ wait: Int, since start: ContinuousClock.Instant) -> ExitCode {
        guard ContinuousClock.now - start >= .seconds(wait) else {
            complain("no longer waited for: a story was removed meanwhile, or the daemon is stopping")
            return .failed
        }
        complain("not settled within \(wait) s; the daemon goes on")
        return .pagesMissing
    }

    private func payload() throws(SystemError) -> [UInt8] {
        let isInput = order.file == "-"
        let name = isInput ? "standard input" : order.file
        let raw = try checked("open", path: name) {
            // A copy of standard input, so that the one of the process stays open.
            isInput ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(order.file, O_RDONLY | O_CLOEXEC)
        }
        let file = Descriptor(owning: raw, path: name)
        guard let bytes = try file.readAll(limit: Self.largestPayload) else {
            throw SystemError("read", path: name, code: EFBIG)
        }
        return bytes
    }

    private func pause() {
        // No descriptor: poll(2) waits for the time alone, or a signal.
        _ = poll(nil, 0, Int32(Self.period / .milliseconds(1)))
    }

    private func name(_ id: String, _ group: String?) -> String {
        DisplayText.clean(id) + (group.map { " of \(DisplayText.clean($0))" } ?? "")
    }

    private func show(_ lines: [String]) throws {
        try print(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}
