/// Easy handles kept for later transfers; each holds its TLS sessions. Owned by `ActiveTransfers`.
struct SpareHandles {
    private static let most = 16

    private var handles: [EasyHandle] = []

    /// One that is kept, else a new one.
    mutating func take() -> EasyHandle {
        guard let easy = handles.popLast() ?? EasyHandle() else { preconditionFailure("out of memory") }
        return easy
    }

    /// Keeps one whose hop has ended well, if there is room for it.
    mutating func keep(_ easy: EasyHandle) {
        if handles.count < Self.most { handles.append(easy) }
    }
}
