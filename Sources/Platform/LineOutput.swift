import Glibc

/// Where lines of text are written, each whole. Never waits for a reader, and never fails: what cannot be written now
/// is lost, and counted in the first line that can. Safe to use from any thread; SIGPIPE must be ignored.
package final class LineOutput: Sendable {
    private let descriptor: Int32
    private let state = Locked(State())

    private struct State {
        /// Lines lost since the last that was written.
        var lost = 0
        /// The last line could not be written to its end.
        var isBroken = false
    }

    /// To an open descriptor, which stays the caller's; standard error if no other is named.
    package init(_ descriptor: Int32 = STDERR_FILENO) {
        self.descriptor = descriptor
    }

    /// Writes what `format` makes of the text.
    package func write(_ text: String, _ format: (String) -> String) {
        // Alone, since what poll(2) tells holds for one of us.
        state.withLock { state in
            let lost = state.lost
            if lost > 0, put(format("\(lost) lines before this one could not be written here"), &state) {
                state.lost = 0
            }
            if state.lost > 0 || !put(format(text), &state) { state.lost += 1 }
        }
    }

    private func put(_ line: String, _ state: inout State) -> Bool {
        let whole = Array("\(state.isBroken ? "\n" : "")\(line)\n".utf8)
        var rest = whole[...]
        defer { if rest.count < whole.count { state.isBroken = !rest.isEmpty } }
        while !rest.isEmpty {
            // A pipe that is ready takes so much without waiting, and as one piece, pipe(7).
            let piece = Array(rest.prefix(Int(PIPE_BUF)))
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let isReady = poll(&entry, 1, 0)
            if isReady < 0, errno == EINTR { continue }
            guard isReady == 1, entry.revents & Int16(POLLOUT) != 0 else { return false }
            let count = Glibc.write(descriptor, piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
