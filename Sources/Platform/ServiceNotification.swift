import CSystemd
import Glibc

/// What the service manager can be told, sd_notify(3). Without one (`$NOTIFY_SOCKET` unset) nothing is sent.
package enum ServiceNotification: Sendable, Equatable {
    /// Start-up, or the reload that was told, is complete.
    case ready
    /// The configuration is being read again; `ready` must follow.
    case reloading
    /// Shutdown has begun.
    case stopping
    /// One line for people, of at most 500 characters.
    case status(String)
    /// A sign of life, to be given at least once in each `watchdogInterval`.
    case alive
    /// Start-up or shutdown may last so much longer from now on.
    case needsTime(Duration)

    /// Whether somebody listens.
    package static var isWanted: Bool { getenv("NOTIFY_SOCKET") != nil }

    /// How long the manager waits for a sign of life before it kills, sd_watchdog_enabled(3). Nil where it does not.
    package static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }

    /// Tells all of them as one. Blocks while the manager reads nothing.
    package static func send(_ notifications: ServiceNotification...) {
        let text = notifications.map { $0.assignments(at: monotonicMicroseconds()) }.joined(separator: "\n")
        // It fails only where nobody can be told.
        sd_notify(0, text)
    }

    /// As they are sent; `now` is of CLOCK_MONOTONIC.
    func assignments(at now: Int64) -> String {
        switch self {
        case .ready: "READY=1"
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(now)"
        case .stopping: "STOPPING=1"
        case .status(let line): "STATUS=\(Log.singleLine(String(line.prefix(500))))"
        case .alive: "WATCHDOG=1"
        case .needsTime(let duration): "EXTEND_TIMEOUT_USEC=\(Int64(duration / .microseconds(1)))"
        }
    }

    private static func monotonicMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
