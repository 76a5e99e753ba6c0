import ControlAPI

extension CommandForm {
    static let all = [
        CommandForm(name: "status", summary: "what the daemon is doing") { _ in .status },
        CommandForm(
            name: "list",
            options: [
                group,
                OptionForm(name: "--state", value: "S", summary: StoryQuery.states.joined(separator: ", ")),
                OptionForm(
                    name: "--limit", value: "N",
                    summary: "at most N stories (else \(StoryQuery.defaultLimit)); with --json N is at most "
                        + "\(StoryQuery.limits.upperBound)"),
            ],
            summary: "the stories, newest first"
        ) { words throws(UsageError) in
            .list(group: words.options["--group"], state: try state(words), limit: try limit(words))
        },
        CommandForm(name: "show", operands: ["ID"], options: [group], summary: "one story and its pages") { words in
            .show(id: words.operands[0], group: words.options["--group"])
        },
        CommandForm(
            name: "prefetch", operands: ["FILE|-"],
            options: [
                OptionForm(name: "--group", value: "G", summary: "for the group G (else app_group)"),
                OptionForm(
                    name: "--wait", value: "SECONDS", isValueOptional: true,
                    summary: "until settled, \(Acceptance.waits.upperBound) s at most"),
            ],
            summary: "hand a payload in, from a file or standard input"
        ) { words throws(UsageError) in
            .prefetch(
                Command.Prefetch(
                    file: words.operands[0], group: words.options["--group"], wait: try seconds(words)))
        },
        CommandForm(name: "watch", summary: "what happens, while it happens") { _ in .watch },
        CommandForm(name: "lookup", operands: ["URL"], summary: "what the cache knows of a picture") { words in
            .lookup(url: words.operands[0])
        },
        CommandForm(name: "groups", summary: "the app groups") { _ in .groups },
        CommandForm(name: "groups add", operands: ["ID"], summary: "provision an app group") { words in
            .provision(group: words.operands[0])
        },
        CommandForm(
            name: "delete", operands: ["ID"], options: [group], summary: "remove a story, and what only it held"
        ) { words in
            .delete(id: words.operands[0], group: words.options["--group"])
        },
        CommandForm(
            name: "evict",
            options: [
                OptionForm(name: "--to", value: "SIZE", summary: "until at most SIZE is left, such as 500M"),
                OptionForm(name: "--older-than", value: "TIME", summary: "stories older than TIME, such as 7d"),
            ],
            takesOneOption: true, summary: "make room in the cache (else down to cache.max_bytes)"
        ) { words throws(UsageError) in
            .evict(try eviction(words))
        },
        CommandForm(name: "verify", summary: "check every picture in the cache, and mend") { _ in .verify },
        CommandForm(name: "metrics", summary: "the metrics, for Prometheus") { _ in .metrics },
        CommandForm(name: "config", summary: "the configuration in effect, secrets masked") { _ in .configuration },
    ]

    private static let group = OptionForm(
        name: "--group", value: "G", summary: "of the group G alone ('' for stories without one)")

    private static func state(_ words: Words) throws(UsageError) -> String? {
        guard let state = words.options["--state"] else { return nil }
        guard StoryQuery.states.contains(state) else {
            throw UsageError(unknown: "state", state, among: StoryQuery.states)
        }
        return state
    }

    private static func limit(_ words: Words) throws(UsageError) -> Int {
        guard let text = words.options["--limit"] else { return StoryQuery.defaultLimit }
        guard let limit = Int(text), limit > 0 else {
            throw UsageError("--limit: expected a whole number above 0, found '\(text)'")
        }
        return limit
    }

    private static func seconds(_ words: Words) throws(UsageError) -> Int? {
        guard let text = words.options["--wait"] else { return nil }
        guard !text.isEmpty else { return Acceptance.waits.upperBound }
        guard let seconds = Int(text), Acceptance.waits.contains(seconds) else {
            let range = "\(Acceptance.waits.lowerBound) to \(Acceptance.waits.upperBound)"
            throw UsageError("--wait: expected a whole number of seconds from \(range), found '\(text)'")
        }
        return seconds
    }

    private static func eviction(_ words: Words) throws(UsageError) -> Eviction? {
        if let text = words.options["--to"] {
            guard let bytes = Quantity.bytes(text), Eviction.numbers.contains(bytes) else {
                throw UsageError("--to: expected a size such as 500M or 2G, found '\(text)'")
            }
            return .toBytes(bytes)
        }
        if let text = words.options["--older-than"] {
            guard let seconds = Quantity.seconds(text), Eviction.numbers.contains(seconds) else {
                throw UsageError(
                    "--older-than: expected a time with its unit, such as 90s, 15min, 12h or 7d, found '\(text)'")
            }
            return .olderThanSeconds(seconds)
        }
        return nil
    }
}
