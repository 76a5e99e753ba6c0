import ControlAPI
import JSON
import TestSupport
import Testing

@testable import ControlTool

@Suite("Waiting for stories on a terminal")
struct ProgressTests {
    private let plain = Palette(isColoured: false)

    private func manifest(_ pages: String, settled: Bool = false, state: String = "prefetching") throws -> JSONObject {
        let text = #"{"id": "s", "group": null, "state": "\#(state)", "settled": \#(settled), "pages": [\#(pages)]}"#
        return try #require(JSONParser.parse(Array(text.utf8)).objectValue)
    }

    private let two = """
        {"index": 0, "image_url": "http://a/one.png", "state": "cached", "bytes": 2048, "source": "network"},
        {"index": 2, "image_url": "http://a/two.png", "state": "pending", "bytes": null, "error": null}
        """

    private func progress(_ page: Int, _ bytes: Int, of total: Int?, story: String = "s") -> Event {
        Event(at: "", id: story, .pageProgress(Event.Page(index: page, state: "pending", bytes: bytes, total: total)))
    }

    @Test("Events add bytes and rate to what the manifest says, for the page and story that they name")
    func events() throws {
        var story = StoryProgress(manifest: try manifest(two))
        story.take(progress(2, 1000, of: 4000), at: 10)
        story.take(progress(2, 3000, of: nil), at: 12)
        story.take(progress(2, 9, of: 9, story: "other"), at: 12)
        story.take(progress(7, 9, of: 9), at: 12)
        story.take(progress(0, 9, of: 9), at: 12)
        #expect(story.pages[1].bytes == 3000 && story.pages[1].total == 4000 && story.pages[1].rate == 1000)
        #expect(story.pages[1].fraction == 0.75 && story.pages[1].word == "loading")
        #expect(story.pages[0].bytes == 2048 && story.pages[0].fraction == 1)
        // The next manifest keeps what only events have told.
        story.take(manifest: try manifest(two))
        #expect(story.pages[1].bytes == 3000 && !story.isSettled && story.cached == 1)
        // Fewer bytes than before are another attempt's.
        story.take(progress(2, 500, of: 4000), at: 20)
        story.take(progress(2, 1000, of: 4000), at: 21)
        #expect(story.pages[1].rate == 500)
    }

    @Test("A story lacks nothing when all its pages are cached, or it has none")
    func wholeness() throws {
        #expect(StoryProgress(manifest: try manifest(two, settled: true, state: "ready")).isWhole)
        #expect(StoryProgress(manifest: try manifest("", settled: true, state: "fallback")).isWhole)
        #expect(!StoryProgress(manifest: try manifest(two, settled: true, state: "partial")).isWhole)
        #expect(!StoryProgress(manifest: try manifest(two, settled: false, state: "ready")).isWhole)
    }

    @Test("Each page has a line with bar, bytes, rate and state")
    func lines() throws {
        var story = StoryProgress(manifest: try manifest(two))
        story.take(progress(2, 1024, of: 4096), at: 1)
        story.take(progress(2, 2048, of: 4096), at: 2)
        let size = TerminalSize(columns: 100, rows: 24)
        let lines = ProgressView(stories: [story], size: size).lines.map { $0.text(plain, columns: 100) }
        #expect(
            lines == [
                "s  1 of 2 pages",
                "  0  [======================]     2.0 KiB                cached            http://a/one.png",
                "  2  [==========>           ]     2.0 KiB     1.0 KiB/s  loading           http://a/two.png",
            ])
    }

    @Test("The lines fit every terminal, however narrow or low", arguments: [1, 8, 20, 43, 44, 63, 64, 80, 200])
    func fitting(columns: Int) throws {
        let pages = (0..<50).map { number in
            #"{"index": \#(number), "image_url": "http://a/日本\#(number).png", "state": "pending"}"#
        }
        let story = StoryProgress(manifest: try manifest(pages.joined(separator: ",")))
        for rows in [3, 10, 100] {
            let size = TerminalSize(columns: columns, rows: rows)
            let lines = ProgressView(stories: [story], size: size).lines
            #expect(lines.count == min(51, rows - 1))
            #expect(lines.allSatisfy { DisplayText.width($0.text(plain, columns: columns)) <= columns })
        }
    }

    @Test("What is drawn is drawn over and erased, also on a terminal that has become narrower")
    func erasing() throws {
        var lines = LiveLines()
        var screen = TerminalScreen(columns: 20, rows: 8)
        let size = TerminalSize(columns: 20, rows: 8)
        screen.write("$ command\n")
        screen.write(lines.draw([Line("one"), Line("exactly twenty wide!")], plain, on: size))
        #expect(screen.lines == ["$ command", "one", "exactly twenty wide!"])
        screen.write(lines.draw([Line("three")], plain, on: size))
        #expect(screen.lines == ["$ command", "three"])
        screen.write(lines.draw([Line("four"), Line("five is more than the terminal has")], plain, on: size))
        #expect(screen.lines == ["$ command", "four", "five is more than t…"])
        screen.write(lines.erase(on: size))
        screen.write("done\n")
        #expect(screen.lines == ["$ command", "done"] && screen.unknown == [])
        #expect(lines.erase(on: size) == "")
        // Twenty columns are two rows of ten.
        _ = lines.draw([Line("one"), Line("exactly twenty wide!")], plain, on: size)
        #expect(lines.erase(on: TerminalSize(columns: 10, rows: 8)) == "\u{1B}[3F\u{1B}[J")
        // What has left the screen is not looked for.
        _ = lines.draw([Line](repeating: Line("line"), count: 30), plain, on: size)
        #expect(lines.erase(on: size) == "\u{1B}[7F\u{1B}[J")
    }

    @Test("A bar is as long as it is told, empty at nothing and full at all")
    func bars() {
        #expect(Bar.text(0, columns: 7) == "[     ]")
        #expect(Bar.text(0.5, columns: 7) == "[=>   ]")
        #expect(Bar.text(0.99, columns: 7) == "[===> ]")
        #expect(Bar.text(1, columns: 7) == "[=====]")
        #expect(Bar.text(7, columns: 7) == "[=====]")
        #expect(Bar.text(0.5, columns: 0) == "[ ]")
    }

    @Test("Nothing of a payload reaches the terminal as a command")
    func cleaning() throws {
        let evil = #"{"index": 0, "image_url": "http://a/\u001b[2J", "state": "\u001b[31m"}"#
        var story = StoryProgress(manifest: try manifest(evil, settled: true, state: "\\u001b]0;x\\u0007"))
        let size = TerminalSize(columns: 200, rows: 24)
        let drawn = ProgressView(stories: [story], size: size).lines.map { $0.text(plain, columns: 200) }
        let told = SettledView(stories: [story], seconds: 1, palette: plain).lines
        #expect(!(drawn + told).contains { $0.contains("\u{1B}") || $0.contains("\u{7}") })
        story = StoryProgress(id: "\u{1B}c", group: "\u{1B}c")
        let lines = SettledView(stories: [story], seconds: 1, palette: plain).lines
        #expect(!lines.contains { $0.contains("\u{1B}") })
    }
}
