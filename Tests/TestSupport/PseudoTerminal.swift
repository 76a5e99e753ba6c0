package import Glibc
import Platform

/// A terminal for a program, pty(7), and what it writes there, read by a thread of its own. Safe to use from any thread.
package final class PseudoTerminal: Sendable {
    private let master: Descriptor
    /// The program's side. Kept open here too, so that what a program has set can be asked for when it has ended.
    private let terminal: Descriptor
    private let written = Locked<[UInt8]>([])

    package init(columns: Int = 80, rows: Int = 24) throws {
        // As posix_openpt(3) and its kin do it, which Swift's Glibc does not show: ioctl_tty(2).
        let raw = try checked("open") { open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC) }
        master = Descriptor(owning: raw)
        var (locked, number): (Int32, Int32) = (0, 0)
        try checked("TIOCSPTLCK") { ioctl(raw, 0x4004_5431, &locked) }
        try checked("TIOCGPTN") { ioctl(raw, 0x8004_5430, &number) }
        let path = "/dev/pts/\(number)"
        terminal = Descriptor(
            owning: try checked("open", path: path) { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) })
        try resize(columns: columns, rows: rows)
        let (master, written) = (master, written)
        try Thread(name: "terminal") {
            var bytes = [UInt8](repeating: 0, count: 4096)
            // EIO: nobody has the other side any more.
            while case let count = read(master.raw, &bytes, bytes.count), count > 0 {
                written.withLock { $0 += bytes[..<count] }
            }
        }.detach()
    }

    /// Starts a program that has this as its controlling terminal, and as standard input, output and error.
    package func start(
        _ path: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            "/bin/sh", ["-c", #"exec setsid --ctty "$0" "$@" <&3 >&3 2>&3 3>&-"#, path] + arguments,
            environment: ["TERM": "xterm"].merging(environment) { $1 }, descriptors: [terminal])
    }

    /// What has been written so far.
    package var output: String { String(decoding: written.withLock { $0 }, as: UTF8.self) }

    /// What people see of it on a screen of that size.
    package func screen(columns: Int, rows: Int = 24) -> TerminalScreen {
        var screen = TerminalScreen(columns: columns, rows: rows)
        screen.write(output)
        return screen
    }

    /// Types something.
    package func type(_ text: String) throws {
        try master.write(Array(text.utf8))
    }

    /// Gives it another size, which its program is told by SIGWINCH.
    package func resize(columns: Int, rows: Int) throws {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try checked("ioctl") { ioctl(master.raw, UInt(TIOCSWINSZ), &size) }
    }

    /// How it treats what is typed: the local modes of termios(3).
    package func localModes() throws -> tcflag_t {
        var attributes = termios()
        try checked("tcgetattr") { tcgetattr(terminal.raw, &attributes) }
        return attributes.c_lflag
    }
}
