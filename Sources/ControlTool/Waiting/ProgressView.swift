/// Stories that are waited for, with a bar for each page. Fits the terminal that it is made for.
struct ProgressView {
    let stories: [StoryProgress]
    let size: TerminalSize

    /// Columns of the fields of a page, between gaps of two.
    private static let (index, amount, rate, word, leastURL) = (3, 10, 12, 16, 12)

    var lines: [Line] {
        // The cursor stands below the last one.
        let room = max(2, size.rows - 1)
        let lines = stories.flatMap { [heading($0)] + $0.pages.map(line) }
        guard lines.count > room else { return lines }
        // What is done gives its place to what is not.
        let open = stories.flatMap { story in
            story.isSettled ? [] : [heading(story)] + story.pages.filter { !$0.isDone }.map(line)
        }
        let left = stories.reduce(0) { $0 + $1.pages.count { !$0.isDone } }
        return open.prefix(room - 1) + [Line("\(Figures.count(left, "page", "pages")) to come in all")]
    }

    private func heading(_ story: StoryProgress) -> Line {
        var line = Line(story.id, tone: .heading)
        line.add("  \(story.cached) of \(Figures.count(story.pages.count, "page", "pages"))")
        return line
    }

    private func line(_ page: PageProgress) -> Line {
        var line = Line()
        line.add("\(page.index)", in: Self.index, isRightAligned: true)
        line.add("  ")
        let hasRate = size.columns >= 64
        let bar = size.columns >= 44 ? min(24, size.columns / 4) : 8
        line.add(Bar.text(page.fraction, columns: bar), tone: tone(page))
        line.add("  ")
        line.add(page.bytes > 0 ? Figures.size(page.bytes) : "", in: Self.amount, isRightAligned: true)
        if hasRate {
            line.add("  ")
            line.add(page.rate.map { "\(Figures.size(Int($0)))/s" } ?? "", in: Self.rate, isRightAligned: true)
        }
        line.add("  ")
        let rest = size.columns - line.width
        guard rest >= Self.word + 2 + Self.leastURL else {
            line.add(page.word, tone: tone(page))
            return line
        }
        line.add(page.word, in: Self.word, tone: tone(page))
        line.add("  ")
        line.add(page.url)
        return line
    }

    private func tone(_ page: PageProgress) -> Palette.Tone {
        page.isDone ? Palette.tone(ofState: page.state) : page.errorCode == nil ? .plain : .warning
    }
}
