import ControlAPI
import Platform

/// What one reader of events is still to be sent. Whoever tells events adds them, from any thread, and never waits:
/// where too much lies here, events are left out, and the reader is told how many. libmicrohttpd's thread takes the
/// bytes; while there are none the reader's connection is suspended.
package final class EventStream: Sendable {
    /// What may lie here.
    package static let maximumEvents = 4096
    package static let maximumBytes = 512 * 1024

    private struct State {
        var lines = FirstInFirstOut<[UInt8]>()
        var bytes = 0
        /// What is left of the line being sent.
        var rest: ArraySlice<UInt8> = []
        /// Events left out since the last line.
        var missed = 0
        var isEnded = false
        /// Suspended, since there was nothing to send.
        var waiting: Connection?

        mutating func append(_ line: [UInt8]) {
            lines.append(line)
            bytes += line.count
        }

        mutating func tellWhatIsMissed() {
            guard missed > 0 else { return }
            append(Event(at: Timestamp.now().description, .lagged(missed: missed)).line)
            missed = 0
        }
    }

    private let state = Locked(State())

    package init() {}

    /// The reader has gone, or is to go.
    package var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Adds one event, as its line. A line that is given to several streams is kept once.
    package func add(_ line: [UInt8]) {
        state.withLock { state in
            guard !state.isEnded else { return }
            // Once full, half of it must be read first: else each line that goes out would let one in, between two gaps.
            let share = state.missed > 0 ? 2 : 1
            guard state.lines.count < Self.maximumEvents / share,
                state.bytes + line.count <= Self.maximumBytes / share
            else {
                state.missed += 1
                return
            }
            state.tellWhatIsMissed()
            state.append(line)
            resume(&state)
        }
    }

    /// Notes that events were lost before they came here.
    package func miss(_ count: Int) {
        state.withLock { state in
            guard !state.isEnded, count > 0 else { return }
            state.missed += count
            resume(&state)
        }
    }

    /// Ends the answer. What still lies here is not sent.
    package func end() {
        state.withLock { state in
            state.isEnded = true
            state.lines = FirstInFirstOut()
            state.rest = []
            resume(&state)
        }
    }

    /// Fills `buffer` as far as there is something; answers how many bytes that were, 0 where there is nothing and
    /// `connection` is suspended, nil at the end. For libmicrohttpd's thread.
    func read(into buffer: UnsafeMutableRawBufferPointer, for connection: Connection) -> Int? {
        state.withLock { state in
            if state.isEnded { return nil }
            var count = 0
            while count < buffer.count {
                if state.rest.isEmpty {
                    if state.lines.isEmpty { state.tellWhatIsMissed() }
                    guard let line = state.lines.popFirst() else { break }
                    state.bytes -= line.count
                    state.rest = line[...]
                }
                let piece = state.rest.prefix(buffer.count - count)
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: piece)
                count += piece.count
                state.rest = state.rest.dropFirst(piece.count)
            }
            if count == 0 {
                // Under the lock, so that who adds something finds it.
                connection.suspend()
                state.waiting = connection
            }
            return count
        }
    }

    private func resume(_ state: inout State) {
        state.waiting?.resume()
        state.waiting = nil
    }
}
