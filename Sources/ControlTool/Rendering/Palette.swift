/// Colours, where there are any.
struct Palette: Sendable {
    /// What a text says, by its colour.
    enum Tone: Sendable { case plain, good, warning, bad, heading }

    let isColoured: Bool

    func paint(_ text: String, _ tone: Tone) -> String {
        guard isColoured, tone != .plain else { return text }
        let code =
            switch tone {
            case .plain: "0"
            case .good: "32"
            case .warning: "33"
            case .bad: "31"
            case .heading: "1"
            }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    /// The tone of a state of the daemon, a story or a page.
    static func tone(ofState state: String) -> Tone {
        switch state {
        case "running", "ready", "cached", "fresh": .good
        case "starting", "stopping", "prefetching", "pending", "partial", "fallback", "stale": .warning
        case "degraded", "failed", "negative": .bad
        default: .plain
        }
    }
}
