/// Something that keeps the cache from working as it should, for as long as it is so.
package struct CacheProblem: Sendable, Equatable {
    package enum Code: String, Sendable {
        /// The index cannot be used; nothing is found in the cache until it can.
        case indexUnavailable = "index_unavailable"
        /// The index was lost and what the stories hold has not been told to it again.
        case indexIncomplete = "index_incomplete"
        /// The fallback directory cannot be used, or is not the daemon's alone; payloads that need it wait.
        case fallbackUnusable = "fallback_unusable"
    }

    package let code: Code
    package let message: String
}
