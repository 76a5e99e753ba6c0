/// How the program ends, for scripts.
package enum ExitCode: Int32, Sendable {
    case done = 0
    case failed = 1
    /// The command line is wrong.
    case usage = 2
    /// No daemon answers.
    case unreachable = 3
    /// The daemon knows no such thing.
    case notFound = 4
    /// A story that was waited for lacks pages.
    case pagesMissing = 5
}
