import Glibc

/// How much fits a terminal, in characters.
package struct TerminalSize: Equatable, Sendable {
    let columns: Int
    let rows: Int

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// That of the terminal behind a descriptor, TIOCGWINSZ of ioctl_tty(2); nil where there is none, or it does not
    /// know.
    package init?(of descriptor: Int32) {
        var window = winsize()
        // SAFETY: the kernel fills in a winsize, which is what it is given.
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return nil
        }
        self.init(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }
}
