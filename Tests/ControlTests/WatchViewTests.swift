import ControlAPI
import JSON
import TestSupport
import Testing

@testable import ControlTool

@Suite("The daemon at a glance")
struct WatchViewTests {
    private let plain = Palette(isColoured: false)

    private func event(_ text: String) throws -> EventLine {
        EventLine(event: try #require(JSONParser.parse(Array(text.utf8)).objectValue))
    }

    @Test("State, counters, stories under way and the last events are there")
    func contents() throws {
        let view = WatchView(
            report: FakeService.report, rate: 2048, stories: FakeService.stories,
            events: [
                try event(
                    #"{"event": "page.cached", "at": "2026-01-02T03:04:05.678Z", "group": "g", "id": "a", "page": 1, "code": null}"#
                )
            ], size: TerminalSize(columns: 80, rows: 30))
        let lines = view.lines.map { $0.text(plain, columns: 80) }
        #expect(lines[0] == "storiesd 1.2.3  degraded  up 1 d 2 h  (q ends)")
        #expect(lines.contains("inbox_unreadable: cannot read a.json"))
        #expect(lines.contains("Transfers  1 active, 2 queued, 30 done, 4 failed, 7.3 MiB, 2.0 KiB/s"))
        #expect(lines.contains("Cache      [                    ] 3.3 MiB of 1.0 GiB, 8 hits, 9 misses"))
        #expect(lines.contains { $0.hasPrefix("c  ") && $0.hasSuffix("[==========]      2/2  Story c") })
        #expect(lines.last == "03:04:05  page.cached       a  of g  page=1")
    }

    @Test("It fits every terminal", arguments: [(10, 3), (80, 8), (80, 24), (200, 60)])
    func fitting(columns: Int, rows: Int) throws {
        let events = try (0..<100).map { try event(#"{"event": "story.updated", "at": "", "id": "\#($0)"}"#) }
        let stories = (0..<25).flatMap { _ in FakeService.stories }
        for (stories, events) in [(stories, events), ([], events), (stories, []), ([], [])] {
            let view = WatchView(
                report: FakeService.report, rate: 1, stories: stories, events: events,
                size: TerminalSize(columns: columns, rows: rows))
            #expect(view.lines.count <= rows)
            #expect(view.lines.allSatisfy { DisplayText.width($0.text(plain, columns: columns)) <= columns })
        }
    }

    @Test("An event that nobody knows is told all the same, and nothing in it is a command")
    func unknownEvent() throws {
        let line = try event(#"{"event": "new\u001b[2J", "at": "x", "thing": {"a": "\u001b"}, "word": "b\u001b"}"#).line
        let text = line.text(plain, columns: 200)
        #expect(text.contains("thing=") && text.contains("word=b") && !text.contains("\u{1B}"))
    }
}
