import Glibc
import Platform

/// A terminal that is drawn on. Writing never waits for it: one that was stopped (^S), or that nobody reads, takes nothing,
/// and who waits for it in write(2) can be ended by no signal that is held back. What it does not take at once is kept
/// and written before anything else. Owned by one caller.
final class TerminalOutput {
    private let terminal: Int32
    /// The terminal, opened anew: whether writing blocks belongs to what was opened, which is the shell's too
    /// (fcntl(2)). Nil where it may not be, as after su(1).
    private let own: Descriptor?
    private var rest: ArraySlice<UInt8> = []

    /// Draws on the terminal behind that descriptor, which stays as it is.
    init(of terminal: Int32) {
        self.terminal = terminal
        let raw = open("/proc/self/fd/\(terminal)", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        own = raw >= 0 ? Descriptor(owning: raw) : nil
    }

    /// Writes what the terminal takes within so many milliseconds; false where something is left.
    @discardableResult
    func write(_ text: String, within milliseconds: Int = 0) throws(SystemError) -> Bool {
        rest += text.utf8
        return try flush(within: milliseconds)
    }

    /// Writes what was left, as `write` does.
    @discardableResult
    func flush(within milliseconds: Int = 0) throws(SystemError) -> Bool {
        // So little fits wherever poll(2) says that something does, or nearly.
        let most = own == nil ? 64 : Int.max
        while !rest.isEmpty {
            var entry = pollfd(fd: own?.raw ?? terminal, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, Int32(milliseconds)) > 0 else { return false }
            let count = rest.prefix(most).withUnsafeBytes { Glibc.write(entry.fd, $0.baseAddress, $0.count) }
            guard count >= 0 else {
                if errno == EINTR { continue }
                if errno == EAGAIN { return false }
                throw SystemError("write", path: "the terminal")
            }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
