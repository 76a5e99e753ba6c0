import Glibc

/// A program's log: one line a decision, on stderr. When stderr is the journal each line begins with its priority (`<6>`,
/// sd-daemon(3)), and what has fields goes to the journal's own socket, where that takes it. When stderr is not, a line begins with the program's name. A log that cannot be written holds up nothing. Safe to use from any
/// thread.
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
    private let output: LineOutput
    private let isJournal: Bool
    private let journal: JournalSocket?

    /// The log of `program`, down to `level`.
    package convenience init(program: String, level: Level) {
        let isJournal = Log.standardErrorIsJournal()
        self.init(
            program: program, level: level, output: LineOutput(), isJournal: isJournal,
            journal: isJournal ? .ofStandardError() : nil)
    }

    init(program: String, level: Level, output: LineOutput, isJournal: Bool, journal: JournalSocket?) {
        self.program = program
        threshold = Locked(level)
        self.output = output
        self.isJournal = isJournal
        self.journal = journal
    }

    /// Takes effect from the next line on.
    package func setLevel(_ level: Level) {
        threshold.withLock { $0 = level }
    }

    package func error(_ message: @autoclosure () -> String, _ fields: Fields...) { write(.error, message, fields) }
    package func warning(_ message: @autoclosure () -> String, _ fields: Fields...) { write(.warning, message, fields) }
    package func info(_ message: @autoclosure () -> String, _ fields: Fields...) { write(.info, message, fields) }
    package func debug(_ message: @autoclosure () -> String, _ fields: Fields...) { write(.debug, message, fields) }

    /// The last word of a program that cannot do what it was asked to; it may have several lines. For people it stands there
    /// as it is, behind the program's name; in the journal each line is an error.
    package func lastWord(_ message: String) {
        for (number, line) in message.split(separator: "\n").enumerated() {
            output.write(Self.singleLine(String(line))) {
                isJournal ? "<3>\($0)" : number == 0 ? "\(program): \($0)" : $0
            }
        }
    }

    private func write(_ level: Level, _ message: () -> String, _ fields: [Fields]) {
        guard level <= threshold.withLock({ $0 }) else { return }
        let text = Self.singleLine(message())
        // What has no fields keeps to the stream: a datagram of a process that ends at once may come there without its unit.
        if !fields.isEmpty, let journal, journal.send(entry(level, text, fields)) { return }
        output.write(text) { isJournal ? "<\(level.rawValue)>\($0)" : "\(program): \(level): \($0)" }
    }

    private func entry(_ level: Level, _ text: String, _ fields: [Fields]) -> [(name: String, value: String)] {
        let own = [("MESSAGE", text), ("PRIORITY", "\(level.rawValue)"), ("SYSLOG_IDENTIFIER", program)]
        return own + fields.flatMap(\.values).map { ($0.name, Self.singleLine($0.value)) }
    }

    /// One line a record, and nothing in it that a terminal obeys, whatever a name from outside holds: control
    /// characters (C0, DEL, C1), line separators and what turns the direction of text become a space where they are white
    /// space, else `U+FFFD`.
    static func singleLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            // Joiners shape the scripts of India and emoji; the others of this category turn text around, or hide.
            case .format where scalar.value == 0x200C || scalar.value == 0x200D: line.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator:
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
