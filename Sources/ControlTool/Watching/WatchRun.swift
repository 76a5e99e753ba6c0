import ControlAPI
import JSON
import Platform

/// `storiesctl watch`: the daemon's view on a terminal, its events as lines elsewhere. Blocks until the user or the daemon
/// ends it.
struct WatchRun {
    let client: ControlClient
    let socketPath: String
    let surroundings: Surroundings
    let print: ([UInt8]) throws -> Void

    /// How often the view is drawn anew, and how often it is looked whether it is to end, in milliseconds.
    private static let (period, tick) = (1000, 100)
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
        var report = try status()
        let screen = try FullScreen { text in try print(Array(text.utf8)) }
        defer { screen.leave() }
        var feed = try EventFeed(socketPath: socketPath)
        var events: [EventLine] = []
        var last = (bytes: report.transfers.bytes, at: ContinuousClock.now)
        var view = WatchView(report: report, size: surroundings.canvas)
        var left = 0
        while true {
            if left <= 0 {
                left = Self.period
                events = (events + feed.take().suffix(Self.most).map(EventLine.init(event:))).suffix(Self.most)
                do {
                    report = try status()
                    if feed.hasEnded { feed = try EventFeed(socketPath: socketPath) }
                    let seconds = (ContinuousClock.now - last.at) / .seconds(1)
                    view = WatchView(
                        report: report, rate: max(0, Double(report.transfers.bytes - last.bytes)) / max(seconds, 0.1),
                        stories: try inFlight(), events: events, size: surroundings.canvas)
                    last = (report.transfers.bytes, ContinuousClock.now)
                } catch let error as ControlClientError {
                    // It may be starting again.
                    view = WatchView(
                        report: nil, trouble: error.description.split(separator: "\n").first.map(String.init),
                        events: events, size: surroundings.canvas)
                }
                try draw(view)
            }
            switch try screen.next(within: Self.tick) {
            case .ended, .key(UInt8(ascii: "q")), .key(UInt8(ascii: "Q")): return
            case .resized, .resumed: left = 0
            case .key: break
            case nil: left -= Self.tick
            }
        }
    }

    private func draw(_ view: WatchView) throws {
        let size = view.size
        let lines = view.lines.map { $0.text(surroundings.palette, columns: size.columns) + "\u{1B}[K" }
        // Over what was there, and away with what is below: no flicker.
        try print(Array(("\u{1B}[H" + lines.joined(separator: "\r\n") + "\u{1B}[J").utf8))
    }

    private func text(of line: [UInt8]) -> [UInt8] {
        // What is no event is shown as it came.
        guard let event = (try? JSONParser.parse(line))?.objectValue else {
            return Array((DisplayText.clean(String(decoding: line, as: UTF8.self)) + "\n").utf8)
        }
        return Array((EventLine(event: event).line.text(surroundings.palette, columns: .max) + "\n").utf8)
    }

    private func status() throws(ControlClientError) -> StatusReport {
        try client.send(.status).decoded { object throws(JSONFieldError) in try StatusReport(json: object) }
    }

    private func inFlight() throws(ControlClientError) -> [StorySummary] {
        let query = StoryQuery(state: "prefetching", limit: Self.most)
        return try client.send(.stories(query)).decoded { object throws(JSONFieldError) in
            try StoryPage(json: object)
        }.stories
    }
}
