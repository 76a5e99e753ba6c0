import Glibc

/// Where lines of text are written, each whole. Never waits for a reader, and never fails: what cannot be written now
/// is lost, and counted in the first line that can. Safe to use from any thread; SIGPIPE must be ignored.
package final class LineOutput: Sendable {
    private let descriptor: Int32
    /// Lines lost since the last that was written.
    private let lost = Locked(0)

    /// To an open descriptor, which stays the caller's; standard error if no other is named.
    package init(_ descriptor: Int32 = STDERR_FILENO) {
        self.descriptor = descriptor
    }

    /// Writes what `format` makes of the text.
    package func write(_ text: String, _ format: (String) -> String) {
        // Alone, since what poll(2) tells holds for one of us.
        lost.withLock { lost in
            if lost > 0, put(format("\(lost) lines before this one could not be written here")) { lost = 0 }
            if lost > 0 || !put(format(text)) { lost += 1 }
        }
    }

    private func put(_ line: String) -> Bool {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            // A pipe that is ready takes so much without waiting, and as one piece, pipe(7).
            let piece = Array(rest.prefix(Int(PIPE_BUF)))
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, 0) == 1, entry.revents & Int16(POLLOUT) != 0 else { return false }
            let count = Glibc.write(descriptor, piece, piece.count)
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
