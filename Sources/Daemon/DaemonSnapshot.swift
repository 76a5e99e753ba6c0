import ControlAPI
import Prefetching

/// What the daemon's parts told of themselves at one moment: what status and metrics are made of.
struct DaemonSnapshot: Sendable {
    let status: StatusReport
    let prefetching: PrefetchStatistics
}
