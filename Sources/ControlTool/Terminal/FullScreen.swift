import Glibc

/// A terminal that a program has to itself: its second screen, no cursor, keys as they are pressed. It is again as it was
/// after `leave`, which also the last reference does. Owned by one caller, on the process's first thread.
///
/// The signals that would end or stop the program are held back from here on and told by `next`, so that none ends it
/// before the terminal is as it was. Threads that are to be spared them start later.
final class FullScreen {
    /// What has happened.
    enum Happening: Equatable {
        case key(UInt8)
        /// The terminal has another size.
        case resized
        /// The user or the system wants the program to end.
        case ended
        /// The program was stopped, goes on, and has the screen again.
        case resumed
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP]

    private let output: TerminalOutput
    /// How the keyboard was; nil where standard input is none.
    private let before: termios?
    private var blocked = sigset_t()
    private var maskBefore = sigset_t()
    private var isEntered = false

    /// Takes the terminal over that is written to by `output`.
    init(_ output: TerminalOutput) throws {
        self.output = output
        var attributes = termios()
        before = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &attributes) == 0 ? attributes : nil
        sigemptyset(&blocked)
        for signal in Self.signals { sigaddset(&blocked, signal) }
        pthread_sigmask(SIG_BLOCK, &blocked, &maskBefore)
        try enter()
    }

    deinit {
        leave()
        pthread_sigmask(SIG_SETMASK, &maskBefore, nil)
    }

    /// Gives the terminal back, as it was.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        // A terminal that is gone needs nothing.
        if (try? output.write("\u{1B}[?25h\u{1B}[?1049l", within: 100)) == false { release() }
        if var attributes = before { tcsetattr(STDIN_FILENO, TCSANOW, &attributes) }
    }

    /// Lets a terminal go on that was stopped with ^S: without IXON (termios(3)) it knows no stopping.
    private func release() {
        guard var attributes = before else { return }
        attributes.c_iflag &= ~tcflag_t(IXON)
        tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
        // One that takes nothing even so is read by nobody.
        _ = try? output.flush(within: 500)
    }

    /// Waits for the next happening, at most so many milliseconds; nil where there is none.
    func next(within milliseconds: Int) throws -> Happening? {
        if let happening = try pendingSignal() { return happening }
        var keyboard = pollfd(fd: before == nil ? -1 : STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&keyboard, 1, Int32(milliseconds)) > 0 else { return try pendingSignal() }
        var key: UInt8 = 0
        // A keyboard that has nothing more to say has been unplugged: the terminal's window was closed.
        return read(STDIN_FILENO, &key, 1) == 1 ? .key(key) : .ended
    }

    /// Signals that are blocked interrupt no poll(2): they are asked for, sigtimedwait(2).
    private func pendingSignal() throws -> Happening? {
        var none = timespec()
        switch sigtimedwait(&blocked, nil, &none) {
        case SIGWINCH: return .resized
        case SIGTSTP:
            leave()
            raise(SIGSTOP)
            try enter()
            return .resumed
        case let signal where signal > 0: return .ended
        default: return nil
        }
    }

    private func enter() throws {
        isEntered = true
        if var attributes = before {
            attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
            // Not TCSADRAIN: that would wait for the terminal.
            tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
        }
        try output.write("\u{1B}[?1049h\u{1B}[?25l")
    }
}
