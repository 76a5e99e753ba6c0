import ControlAPI
import JSON
import Platform

/// What the daemon answers to one command, as it came or in words for people. `prefetch` and `watch`, which go on for a
/// while, are not among them.
struct Answer {
    let client: ControlClient
    let surroundings: Surroundings

    /// As it came, whatever its status.
    func exact(_ command: Command) throws(ControlClientError) -> ControlResponse {
        try client.send(request(for: command))
    }

    /// For people, in lines.
    func lines(_ command: Command) throws(ControlClientError) -> [String] {
        let (palette, columns, now) = (surroundings.palette, surroundings.columns, surroundings.now)
        switch command {
        case .list(let group, let state, let limit):
            let (stories, hasMore) = try list(StoryQuery(group: group, state: state), limit: limit)
            return StoryListView(
                stories: stories, hasMore: hasMore, palette: palette, columns: columns, now: now
            ).lines
        default: break
        }
        let response = try exact(command)
        switch command {
        case .show:
            let manifest = try response.object()
            return StoryView(
                manifest: manifest, path: Self.manifestPath(manifest, try status().groups), palette: palette,
                columns: columns, now: now
            ).lines
        case .groups:
            let groups = try response.decoded { object throws(JSONFieldError) in try GroupList(json: object) }.groups
            return groups.isEmpty ? ["No groups."] : GroupTable.table(groups).lines(palette, columns: columns)
        case .provision:
            let group = try response.decoded { object throws(JSONFieldError) in
                try StatusReport.Group(json: object)
            }
            let what = response.status == 201 ? "is provisioned" : "was provisioned already"
            return ["\(DisplayText.clean(group.id ?? "")) \(what): \(DisplayText.clean(group.container))"]
        case .delete(let id, _):
            try response.check()
            return ["Removed \(DisplayText.clean(id))."]
        case .lookup:
            let report = try response.decoded { object throws(JSONFieldError) in try MediaReport(json: object) }
            return MediaView(report: report, palette: palette, now: now).lines
        case .evict:
            let report = try response.decoded { object throws(JSONFieldError) in try EvictionReport(json: object) }
            return [
                "Removed \(Figures.count(report.stories, "story", "stories")) and "
                    + "\(Figures.count(report.objects, "object", "objects")), \(Figures.size(report.bytes))."
            ]
        case .configuration:
            return try JSONValue.object(response.object()).serialized(.pretty).split(separator: "\n").map {
                DisplayText.clean(String($0))
            }
        case .status, .list, .metrics, .prefetch, .verify, .watch:
            let report = try response.decoded { object throws(JSONFieldError) in try StatusReport(json: object) }
            return StatusView(report: report, palette: palette, columns: columns).lines
        }
    }

    /// What a verification has found.
    func line(_ report: VerificationReport) -> String {
        "Checked \(Figures.count(report.checked, "object", "objects")): \(report.corrupt) corrupt, "
            + "\(report.repaired) repaired."
    }

    private func request(for command: Command) throws(ControlClientError) -> ControlRequest {
        switch command {
        case .list(let group, let state, let limit): .stories(StoryQuery(group: group, state: state, limit: limit))
        case .show(let id, let group): .story(id: id, group: group)
        case .lookup(let url): .media(url)
        case .groups: .groups
        case .provision(let group): .provision(group)
        case .delete(let id, let group): .delete(id: id, group: group)
        case .evict(let eviction?): .evict(eviction)
        case .evict(nil): .evict(.toBytes(try status().cache.maxBytes))
        case .verify: .verify
        case .metrics: .metrics
        case .configuration: .configuration
        case .status, .prefetch, .watch: .status
        }
    }

    private func status() throws(ControlClientError) -> StatusReport {
        try client.send(.status).decoded { object throws(JSONFieldError) in try StatusReport(json: object) }
    }

    /// So many stories, page after page, and whether there are more.
    private func list(
        _ query: StoryQuery, limit: Int
    ) throws(ControlClientError) -> ([StorySummary], hasMore: Bool) {
        var query = query
        var stories: [StorySummary] = []
        repeat {
            query.limit = min(limit - stories.count, StoryQuery.limits.upperBound)
            let page = try client.send(.stories(query)).decoded { object throws(JSONFieldError) in
                try StoryPage(json: object)
            }
            stories += page.stories
            query.after = page.next
        } while query.after != nil && stories.count < limit
        return (stories, query.after != nil)
    }

    /// Where the daemon keeps that manifest, by the containers that it tells of.
    static func manifestPath(_ manifest: JSONObject, _ groups: [StatusReport.Group]) -> String? {
        guard let id = manifest["id"]?.stringValue else { return nil }
        let group = manifest["group"]?.stringValue
        // A group that was provisioned late may have both: its own container and the fallback of before.
        let isFallback = group == nil || manifest["group_fallback"]?.boolValue == true
        return groups.first { $0.id == group && $0.fallback == isFallback }.map {
            "\($0.container)/pw_stories_cache/stories/\(id)/manifest.json"
        }
    }
}
