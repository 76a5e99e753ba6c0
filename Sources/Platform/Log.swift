import Glibc

/// A program's log: one line a decision, on stderr. When stderr is the journal, each line begins with its priority
/// (`<6>`, sd-daemon(3)), else with the program's name. Safe to use from any thread.
package final class Log: Sendable {
    /// How much is told, the most urgent first; the raw value is the syslog priority.
    package enum Level: Int, Sendable, Comparable {
        case error = 3
        case warning = 4
        case info = 6
        case debug = 7

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let program: String
    private let threshold: Locked<Level>
    private let isJournal: Bool

    /// The log of `program`, down to `level`.
    package init(program: String, level: Level) {
        self.program = program
        threshold = Locked(level)
        isJournal = Log.standardErrorIsJournal()
    }

    /// Takes effect from the next line on.
    package func setLevel(_ level: Level) {
        threshold.withLock { $0 = level }
    }

    package func error(_ message: @autoclosure () -> String) { write(.error, message) }
    package func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    package func info(_ message: @autoclosure () -> String) { write(.info, message) }
    package func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    private func write(_ level: Level, _ message: () -> String) {
        guard level <= threshold.withLock({ $0 }) else { return }
        let text = Self.singleLine(message())
        let line = isJournal ? "<\(level.rawValue)>\(text)\n" : "\(program): \(level): \(text)\n"
        // One write(2) for the line, so that lines of several threads do not mix; a log that cannot be written to
        // stops nothing.
        let bytes = Array(line.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    /// One line a record, and nothing in it that a terminal obeys, whatever a name from outside holds: control
    /// characters (C0, DEL, C1) and line separators become a space where they are white space, else `U+FFFD`.
    static func singleLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator:
                line.append(scalar.properties.isWhitespace ? " " : "\u{FFFD}")
            default:
                line.append(scalar)
            }
        }
        return String(line)
    }

    /// `$JOURNAL_STREAM` names the device and inode of the journal's stream, systemd.exec(5).
    private static func standardErrorIsJournal() -> Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }
}
