package import JSON

/// What the daemon tells of itself: the answer to `GET /v1/status`. A value, made afresh for each request.
package struct StatusReport: Sendable, Equatable {
    /// What the daemon is up to.
    package enum State: String, CaseIterable, Sendable {
        case starting
        case running
        /// It runs, and something of `problems` keeps it from a part of its work.
        case degraded
        case stopping
    }

    package let version: String
    package let processID: Int
    package let uptimeSeconds: Int
    package let state: State
    package let problems: [Problem]
    package let inbox: Inbox
    package let stories: Stories
    package let transfers: Transfers
    package let cache: Cache
    package let groups: [Group]

    package init(
        version: String, processID: Int, uptimeSeconds: Int, state: State, problems: [Problem], inbox: Inbox,
        stories: Stories, transfers: Transfers, cache: Cache, groups: [Group]
    ) {
        self.version = version
        self.processID = processID
        self.uptimeSeconds = uptimeSeconds
        self.state = state
        self.problems = problems
        self.inbox = inbox
        self.stories = stories
        self.transfers = transfers
        self.cache = cache
        self.groups = groups
    }

    /// Throws where a member is missing or of another type.
    package init(json: JSONObject) throws(JSONFieldError) {
        version = try json.string("version")
        processID = try json.count("pid")
        uptimeSeconds = try json.count("uptime_seconds")
        // A state of a newer daemon is one in which it answers.
        state = State(rawValue: try json.string("state")) ?? .running
        problems = try json.objects("problems") { element throws(JSONFieldError) in try Problem(json: element) }
        inbox = try Inbox(json: json.object("inbox"))
        stories = try Stories(json: json.object("stories"))
        transfers = try Transfers(json: json.object("transfers"))
        cache = try Cache(json: json.object("cache"))
        groups = try json.objects("groups") { element throws(JSONFieldError) in try Group(json: element) }
    }

    /// As it is sent.
    package var json: JSONObject {
        [
            "version": .string(version),
            "pid": JSONValue(processID),
            "uptime_seconds": JSONValue(uptimeSeconds),
            "state": .string(state.rawValue),
            "problems": .array(problems.map { .object($0.json) }),
            "inbox": .object(inbox.json),
            "stories": .object(stories.json),
            "transfers": .object(transfers.json),
            "cache": .object(cache.json),
            "groups": .array(groups.map { .object($0.json) }),
        ]
    }
}
