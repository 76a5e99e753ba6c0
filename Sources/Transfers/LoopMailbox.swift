import Addresses
import Glibc
import Platform

/// What the loop is told from other threads. Messages are taken in the order they were posted; after `close` none is.
final class LoopMailbox: Sendable {
    /// A transfer, to those who speak of it; never used twice.
    typealias ID = UInt64

    /// Called once with how the transfer ended.
    typealias Answer = CheckedContinuation<Result<Arrival, TransferFailure>, Never>

    enum Message: Sendable {
        case start(ID, TransferRequest, Answer)
        case cancel(ID)
        /// The name that a transfer's hop (counted from 0) waits for has been looked up.
        case resolved(ID, hop: Int, LookupQueue.Answer)
        case options(TransferOptions)
        /// To be answered as a sign of life.
        case ping(CheckedContinuation<Void, Never>)
        case stop(CheckedContinuation<Void, Never>)
    }

    private struct State {
        var messages: [Message] = []
        var isClosed = false
        var lastID: ID = 0
    }

    /// Up while there are messages.
    let wake: EventDescriptor
    private let state = Locked(State())

    init() throws(SystemError) {
        wake = try EventDescriptor()
    }

    /// False, and nothing done, once closed.
    func post(_ message: Message) -> Bool {
        let isTaken = state.withLock { state in
            if !state.isClosed { state.messages.append(message) }
            return !state.isClosed
        }
        if isTaken { wake.signal() }
        return isTaken
    }

    func nextID() -> ID {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Sleeps until there are messages, for `time` at most.
    func wait(_ time: Duration) {
        var entry = pollfd(fd: wake.descriptor.raw, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, Int32(min(time.wholeMilliseconds, 60_000)))
    }

    /// All messages so far.
    func take() -> [Message] {
        wake.clear()
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Takes no more; returns what had not been taken.
    func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}
