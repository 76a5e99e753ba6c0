import ControlAPI
import Glibc
import JSON
import Platform

/// `storiesctl watch`: the daemon's view on a terminal, its events as lines elsewhere. Blocks until the user or the daemon
/// ends it.
struct WatchRun {
    let client: ControlClient
    let socketPath: String
    let surroundings: Surroundings
    let print: ([UInt8]) throws -> Void

    /// How often the view is drawn anew.
    private static let period = Duration.seconds(1)
    /// How often it is looked whether it is to end, in milliseconds.
    private static let tick = 100
    /// Stories and events beyond this fit no terminal.
    private static let most = 200

    /// The events, a line each; exactly as the daemon tells them with `isExact`. Returns when the daemon ends them.
    func printEvents(isExact: Bool) throws {
        var failure: (any Error)?
        try client.stream(.events) { line in
            do {
                try print(isExact ? line + [UInt8(ascii: "\n")] : text(of: line))
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    /// The view, until `q` is pressed or a signal ends it.
    func run() throws {
        // A daemon that is not there is told in the ordinary way, before the screen is taken.
        let report = try status(client)
        // Who presses a key is not to wait for a daemon that stands still.
        guard let hurried = ControlClient(socketPath: socketPath, timeout: 2) else {
            throw SystemError("curl_easy_init", code: ENOMEM)
        }
        let output = TerminalOutput(of: surroundings.terminal)
        let screen = try FullScreen(output)
        defer { screen.leave() }
        var feed = try EventFeed(socketPath: socketPath)
        var events: [EventLine] = []
        var last = Sample(bytes: report.transfers.bytes, at: .now)
        // By the clock: a key that is held down cuts each wait short.
        var due = ContinuousClock.now
        while true {
            if .now >= due {
                due = .now + Self.period
                // Progress comes four times a second for each page, and is seen by the bars.
                let news = feed.take().filter { $0["event"]?.stringValue != "page.progress" }
                events = (events + news.map(EventLine.init(event:))).suffix(Self.most)
                let view = look(hurried, &last, events)
                // The daemon may have been started again.
                if view.report != nil, feed.hasEnded { feed = try EventFeed(socketPath: socketPath) }
                // One that has not taken the last yet is not given more.
                if try output.flush() { try output.write(text(of: view)) }
            }
            try output.flush()
            switch try screen.next(within: Self.tick) {
            case .ended, .key(UInt8(ascii: "q")), .key(UInt8(ascii: "Q")): return
            case .resized, .resumed: due = .now
            case .key, nil: break
            }
        }
    }

    /// What is to be seen now.
    private func look(_ client: ControlClient, _ last: inout Sample, _ events: [EventLine]) -> WatchView {
        let size = surroundings.canvas
        do throws(ControlClientError) {
            let report = try status(client)
            let stories = try inFlight(client)
            let now = Sample(bytes: report.transfers.bytes, at: .now)
            defer { last = now }
            return WatchView(report: report, rate: now.rate(since: last), stories: stories, events: events, size: size)
        } catch {
            let trouble = error.description.split(separator: "\n").first.map(String.init)
            return WatchView(report: nil, trouble: trouble, events: events, size: size)
        }
    }

    /// How many bytes had come at a moment.
    private struct Sample {
        let bytes: Int
        let at: ContinuousClock.Instant

        /// Bytes a second; a counter that has begun anew counts as none.
        func rate(since earlier: Sample) -> Double {
            Double(max(0, bytes - earlier.bytes)) / max((at - earlier.at) / .seconds(1), 0.1)
        }
    }

    private func text(of view: WatchView) -> String {
        let size = view.size
        // Erased before and not behind it: there a line that fills the terminal would lose its last letter.
        let lines = view.lines.map { "\u{1B}[K" + $0.text(surroundings.palette, columns: size.columns) }
        // Over what was there, and away with what is below, if anything: no flicker.
        let below = lines.count < size.rows ? "\r\n\u{1B}[J" : ""
        return "\u{1B}[H" + lines.joined(separator: "\r\n") + below
    }

    private func text(of line: [UInt8]) -> [UInt8] {
        // What is no event is shown as it came.
        guard let event = (try? JSONParser.parse(line))?.objectValue else {
            return Array((DisplayText.clean(String(decoding: line, as: UTF8.self)) + "\n").utf8)
        }
        return Array((EventLine(event: event).line.text(surroundings.palette, columns: .max) + "\n").utf8)
    }

    private func status(_ client: ControlClient) throws(ControlClientError) -> StatusReport {
        try client.send(.status).decoded { object throws(JSONFieldError) in try StatusReport(json: object) }
    }

    private func inFlight(_ client: ControlClient) throws(ControlClientError) -> [StorySummary] {
        let query = StoryQuery(state: "prefetching", limit: Self.most)
        return try client.send(.stories(query)).decoded { object throws(JSONFieldError) in
            try StoryPage(json: object)
        }.stories
    }
}
