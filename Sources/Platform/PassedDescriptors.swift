import CSystemd

/// The open files that the service manager passes to a program, sd_listen_fds(3).
package enum PassedDescriptors {
    /// All of them, in their order, close-on-exec; none where this process was passed none. The variables that tell of
    /// them leave the environment: call it once, before there is another thread.
    package static func take() throws(SystemError) -> [Descriptor] {
        let count = sd_listen_fds(1)
        guard count >= 0 else { throw SystemError("sd_listen_fds", path: "$LISTEN_FDS", code: -count) }
        // They are numbered from SD_LISTEN_FDS_START, which is a macro.
        return (0..<count).map { Descriptor(owning: 3 + $0, path: "passed descriptor \(3 + $0)") }
    }
}
