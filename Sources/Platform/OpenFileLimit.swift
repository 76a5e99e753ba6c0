import Glibc

/// How many descriptors the process may have open, getrlimit(2).
package enum OpenFileLimit {
    /// Raises the soft limit to the hard one. The soft one is kept low for programs that use select(2), which nothing
    /// here does; where it cannot be raised it stays.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
