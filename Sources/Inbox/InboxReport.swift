/// What the inbox's thread last told of itself.
struct InboxReport: Sendable {
    var statistics = InboxStatistics()
    var problems: [InboxProblem] = []
}
