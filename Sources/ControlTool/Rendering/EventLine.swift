import JSON

/// One event as a line: when, what, of which story, and whatever else it says, by name.
struct EventLine {
    let event: JSONObject

    var line: Line {
        let name = event["event"]?.stringValue ?? "?"
        var line = Line(time)
        line.add("  ")
        line.add(name, in: 16, tone: tone(name))
        if let id = event["id"]?.stringValue { line.add("  \(id)", tone: .heading) }
        if let group = event["group"]?.stringValue { line.add("  of \(group)") }
        for key in event.keys where !["event", "at", "id", "group"].contains(key) {
            guard let value = event[key], !value.isNull else { continue }
            line.add("  \(key)=\(value.stringValue ?? value.serialized())")
        }
        return line
    }

    /// The time of day, UTC as the daemon tells it.
    private var time: String {
        let at = event["at"]?.stringValue ?? ""
        // 2026-01-02T03:04:05.678Z
        return String(at.dropFirst(11).prefix(8))
    }

    private func tone(_ name: String) -> Palette.Tone {
        switch name {
        case "page.cached", "story.settled": .good
        case "page.failed", "payload.rejected", "cache.corrupt": .bad
        case "lagged", "cache.evicted", "story.deleted": .warning
        default: .plain
        }
    }
}
