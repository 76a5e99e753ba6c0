import Glibc

/// The three descriptors that every program has.
package enum StandardStreams {
    /// Gives `/dev/null` to those that are closed: else the next file to be opened would take their number, and what is
    /// written to standard error would land in it. Call it before anything is opened.
    package static func openThoseThatAreClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is taken, and that is this one. Without /dev/null it stays closed.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
