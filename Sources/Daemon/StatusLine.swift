import ControlAPI

/// What `systemctl status` shows of the daemon: one line.
enum StatusLine {
    /// While it takes up what earlier runs left.
    static func starting(stories: Int) -> String {
        stories == 0 ? "starting" : "starting: \(count(stories, "story", "stories")) taken up so far"
    }

    /// `12 stories (1 prefetching), 3 transfers, 45 MB cached`, and what is degraded.
    static func of(_ report: StatusReport) -> String {
        let (stories, transfers) = (report.stories, report.transfers)
        let total = stories.prefetching + stories.ready + stories.partial + stories.failed + stories.fallback
        let prefetching = stories.prefetching == 0 ? "" : " (\(stories.prefetching) prefetching)"
        var line =
            "\(count(total, "story", "stories"))\(prefetching), "
            + "\(count(transfers.active, "transfer", "transfers")), \(size(report.cache.bytes)) cached"
        if let first = report.problems.first {
            let others = report.problems.count - 1
            line += "; degraded: \(others == 0 ? "" : "(and \(others) more) ")\(first.code): \(first.message)"
        }
        return line
    }

    private static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }

    /// Whole kilobytes, megabytes or gigabytes, of 1000 each and rounded up: what is there never counts as nothing.
    private static func size(_ bytes: Int) -> String {
        let (unit, length) =
            switch bytes {
            case ..<1_000_000: ("kB", 1000)
            case ..<10_000_000_000: ("MB", 1_000_000)
            default: ("GB", 1_000_000_000)
            }
        return "\(bytes / length + (bytes % length == 0 ? 0 : 1)) \(unit)"
    }
}
