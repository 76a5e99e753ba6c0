import ControlAPI

/// What the user wants done.
enum Command: Equatable, Sendable {
    case status
    case list(group: String?, state: String?, limit: Int)
    case show(id: String, group: String?)
    case prefetch(Prefetch)
    case watch
    case lookup(url: String)
    case groups
    case provision(group: String)
    case delete(id: String, group: String?)
    /// Nil: what is beyond the limit of the configuration.
    case evict(Eviction?)
    case verify
    case metrics
    case configuration

    /// A payload to hand in.
    struct Prefetch: Equatable, Sendable {
        /// A path; `-` stands for standard input.
        let file: String
        let group: String?
        /// How many seconds to wait for its stories to be settled; nil: not at all.
        let wait: Int?
    }
}
