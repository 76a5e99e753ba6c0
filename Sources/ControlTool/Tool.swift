import ControlAPI
import Glibc
import JSON
import Platform

/// `storiesctl` but for the process: reads a command line, asks the daemon, prints. Blocks while it waits for answers.
package struct Tool {
    private let surroundings: Surroundings
    private let print: ([UInt8]) throws -> Void
    private let complain: (String) -> Void

    /// `print` writes to standard output, `complain` a line to standard error.
    package init(
        _ surroundings: Surroundings, print: @escaping ([UInt8]) throws -> Void,
        complain: @escaping (String) -> Void
    ) {
        self.surroundings = surroundings
        self.print = print
        self.complain = complain
    }

    /// Does what the arguments (without the program's name) ask for.
    package func run(_ arguments: [String]) -> ExitCode {
        do {
            try perform(Invocation(arguments))
            return .done
        } catch let error as UsageError {
            explain("\(error.message)\n'storiesctl --help' tells what there is.")
            return .usage
        } catch let error as ControlClientError {
            explain(error.description)
            return status(of: error)
        } catch {
            explain("\(error)")
            return .failed
        }
    }

    private func perform(_ invocation: Invocation) throws {
        switch invocation.action {
        case .help(let command): try show(Help.lines(for: command))
        case .version: try show(["storiesctl \(ProductVersion.current)"])
        case .run(let command):
            let path = surroundings.socketPath(given: invocation.socketPath)
            guard let client = ControlClient(socketPath: path) else {
                throw SystemError("curl_easy_init", code: ENOMEM)
            }
            guard invocation.wantsJSON else { return try show(lines(for: command, client)) }
            let response = try client.send(request(for: command))
            try print(response.body)
            _ = try response.object()
        }
    }

    private func request(for command: Command) -> ControlRequest {
        switch command {
        case .status: .status
        case .list(let group, let state, let limit): .stories(StoryQuery(group: group, state: state, limit: limit))
        case .show(let id, let group): .story(id: id, group: group)
        }
    }

    private func lines(for command: Command, _ client: ControlClient) throws(ControlClientError) -> [String] {
        let palette = surroundings.palette
        switch command {
        case .status:
            return StatusView(report: try status(client), palette: palette).lines
        case .list(let group, let state, let limit):
            let (stories, hasMore) = try list(StoryQuery(group: group, state: state), limit: limit, client)
            return StoryListView(stories: stories, hasMore: hasMore, palette: palette, now: surroundings.now).lines
        case .show:
            let manifest = try client.send(request(for: command)).object()
            return StoryView(
                manifest: manifest, path: Self.manifestPath(manifest, try status(client).groups), palette: palette,
                now: surroundings.now
            ).lines
        }
    }

    private func status(_ client: ControlClient) throws(ControlClientError) -> StatusReport {
        try client.send(.status).decoded { object throws(JSONFieldError) in try StatusReport(json: object) }
    }

    /// So many stories, page after page, and whether there are more.
    private func list(
        _ query: StoryQuery, limit: Int, _ client: ControlClient
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

    private func status(of error: ControlClientError) -> ExitCode {
        switch error {
        case .unreachable: .unreachable
        case .refused(let refusal) where refusal.status == 404: .notFound
        case .refused, .unreadable: .failed
        }
    }

    private func show(_ lines: [String]) throws {
        try print(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    private func explain(_ text: String) {
        for line in text.split(separator: "\n") { complain(DisplayText.clean(String(line))) }
    }
}
