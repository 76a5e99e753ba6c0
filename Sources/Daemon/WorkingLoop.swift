/// The parts of the daemon that must go round for it to work: a stop of any of them is one of the daemon.
enum WorkingLoop: String, CaseIterable {
    /// The thread that all of the cache's disk is touched by.
    case storage
    /// The thread of all downloads.
    case transfers
    /// The thread that looks for payloads.
    case inbox
    /// The actor that decides.
    case prefetcher
}
