/// Something that keeps the cache from working as it should, for as long as it is so.
package struct CacheProblem: Sendable, Equatable {
    package enum Code: Sendable {
        /// The index cannot be used; nothing is found in the cache until it can.
        case indexUnavailable
        /// The index was lost and what the stories hold has not been told to it again.
        case indexIncomplete
        /// The fallback directory cannot be used, or is not the daemon's alone; payloads that need it wait.
        case fallbackUnusable
        /// A container has no room: pictures, and manifests too where there is none at all, wait.
        case containerFull
        /// A container cannot be written to: what should change in it waits.
        case containerUnwritable
        /// Somebody else removed or replaced what is the daemon's.
        case interference
    }

    package let code: Code
    /// For an operator: what, why, and what to do about it.
    package let message: String
}
