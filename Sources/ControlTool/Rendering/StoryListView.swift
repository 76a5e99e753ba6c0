import ControlAPI
import Platform

/// Stories as `storiesctl list` prints them.
struct StoryListView {
    let stories: [StorySummary]
    /// Whether there are more than were asked for.
    let hasMore: Bool
    let palette: Palette
    /// As of `Table.lines`.
    var columns: Int? = Table.widest
    let now: Timestamp

    var lines: [String] {
        guard !stories.isEmpty else { return ["No stories."] }
        var table = Table([
            // Long enough for the ids that are made from content, which are there to be copied.
            Table.Column(title: "ID", least: 33),
            Table.Column(title: "STATE"),
            Table.Column(title: "PAGES", isRightAligned: true),
            Table.Column(title: "RECEIVED"),
            Table.Column(title: "TITLE", least: 4),
            Table.Column(title: "GROUP", least: 4),
        ])
        for story in stories {
            table.append([
                Table.Cell(story.id),
                Table.Cell(story.state, tone: Palette.tone(ofState: story.state)),
                "\(story.cached)/\(story.pages)", Table.Cell(moment(story.receivedAt)),
                Table.Cell(story.title ?? ""), Table.Cell(story.group ?? ""),
            ])
        }
        return table.lines(palette, columns: columns) + (hasMore ? ["", "There are more: --limit N shows them."] : [])
    }

    private func moment(_ text: String) -> String {
        Timestamp(text).map { Figures.age(of: $0, now: now) } ?? text
    }
}
