import Platform

/// What the inbox's thread is asked to do, in order. Any thread may post; the inbox's thread takes.
final class InboxMailbox: Sendable {
    enum Message: Sendable {
        case accept(Claim)
        case reject(Claim, code: String, message: String)
        case putBack(Claim)
        case rescan
        case reload(InboxOptions)
        /// To be answered as a sign of life.
        case ping(CheckedContinuation<Void, Never>)
        case stop
    }

    private struct State: Sendable {
        var messages: [Message] = []
        /// The thread has ended, or was never started.
        var isEnded = true
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    /// Up while there are messages.
    let flag: EventDescriptor

    init() throws(SystemError) {
        flag = try EventDescriptor()
    }

    func post(_ message: Message) {
        state.withLock { $0.messages.append(message) }
        flag.signal()
    }

    /// As `post`; false, and nothing done, where no thread takes it.
    func postIfRunning(_ message: Message) -> Bool {
        let isRunning = state.withLock { state in
            if !state.isEnded { state.messages.append(message) }
            return !state.isEnded
        }
        if isRunning { flag.signal() }
        return isRunning
    }

    /// For the inbox's thread: all messages so far.
    func take() -> [Message] {
        flag.clear()
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// The thread is about to run.
    func begin() {
        state.withLock { $0.isEnded = false }
    }

    /// The thread has ended; who waits for it, or for its sign of life, goes on.
    func end() {
        let (waiters, messages) = state.withLock { state in
            state.isEnded = true
            defer { (state.waiters, state.messages) = ([], []) }
            return (state.waiters, state.messages)
        }
        for waiter in waiters { waiter.resume() }
        for case .ping(let answer) in messages { answer.resume() }
    }

    /// Returns when the thread has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if !state.isEnded { state.waiters.append(continuation) }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }
}
