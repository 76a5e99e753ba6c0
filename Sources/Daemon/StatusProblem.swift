import ControlAPI
import Inbox
import MediaCache

/// All that can be wrong with a running daemon, by the codes that programs know it by.
enum StatusProblem: String, CaseIterable {
    case indexUnavailable = "index_unavailable"
    case indexIncomplete = "index_incomplete"
    case fallbackUnusable = "fallback_unusable"
    case containerFull = "container_full"
    case containerUnwritable = "container_unwritable"
    /// Somebody else removed or replaced what is the daemon's.
    case interference = "interference"
    /// A manifest on disk is damaged, or not the daemon's.
    case storyUnreadable = "story_unreadable"
    /// Payloads wait in the inbox, as nothing can be accepted for their group.
    case containerRefused = "container_refused"
    case inboxUnreadable = "inbox_unreadable"
    case inboxUnwritable = "inbox_unwritable"
    case inboxMissing = "inbox_missing"
    case inboxUnwatched = "inbox_unwatched"
    case metricsUnwritable = "metrics_unwritable"

    init(_ code: CacheProblem.Code) {
        self =
            switch code {
            case .indexUnavailable: .indexUnavailable
            case .indexIncomplete: .indexIncomplete
            case .fallbackUnusable: .fallbackUnusable
            case .containerFull: .containerFull
            case .containerUnwritable: .containerUnwritable
            case .interference: .interference
            }
    }

    init(_ code: InboxProblem.Code) {
        self =
            switch code {
            case .unreadable: .inboxUnreadable
            case .unwritable: .inboxUnwritable
            case .missing: .inboxMissing
            case .unwatched: .inboxUnwatched
            }
    }
}

extension StatusReport.Problem {
    init(_ problem: StatusProblem, _ message: String) {
        self.init(code: problem.rawValue, message: message)
    }
}
