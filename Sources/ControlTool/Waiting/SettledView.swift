/// What became of stories that were waited for, in lines.
struct SettledView {
    let stories: [StoryProgress]
    /// How long they were waited for, in seconds.
    let seconds: Double
    let palette: Palette

    var lines: [String] { stories.flatMap(lines) }

    private func lines(_ story: StoryProgress) -> [String] {
        let group = story.group.map { " of \(DisplayText.clean($0))" } ?? ""
        let name = palette.paint(DisplayText.clean(story.id), .heading) + group
        guard story.isSeen else {
            let time = Figures.duration(seconds: seconds)
            return ["\(name): accepted, not settled after \(time); the daemon shows this user no manifest of it"]
        }
        let state = palette.paint(DisplayText.clean(story.state), Palette.tone(ofState: story.state))
        guard story.state != "fallback" else {
            let reason = story.fallbackReason.map { " (\(DisplayText.clean($0)))" } ?? ""
            return ["\(name): \(state), an ordinary notification without pages\(reason)"]
        }
        let bytes = story.pages.reduce(0) { $0 + ($1.state == "cached" ? $1.bytes : 0) }
        let amount = story.cached > 0 ? ", \(Figures.size(bytes))" : ""
        let count = "\(story.cached) of \(Figures.count(story.pages.count, "page", "pages")) cached"
        let end = story.isSettled ? "in" : "not settled after"
        return ["\(name): \(state), \(count)\(amount), \(end) \(Figures.duration(seconds: seconds))"]
            + story.pages.filter { $0.state != "cached" }.map { page in
                let reason = page.errorCode.map { code in
                    ": \(code)\(page.errorMessage.map { message in ": \(message)" } ?? "")"
                }
                return DisplayText.clean("  page \(page.index) \(page.state)\(reason ?? "")")
            }
    }
}
