/// When the metrics' file is to be written, and what has been said of it. A plain value, owned by `MetricsFile`.
struct MetricsFilePlan {
    typealias Instant = SuspendingClock.Instant

    /// From one writing to the next.
    static let period = Duration.seconds(15)

    /// The file; nil: none is wanted.
    private(set) var path: String?
    /// Why it could not be written the last time; nil where it could.
    private(set) var problem: String?
    private var due: Instant
    /// Files that were written, but are wanted no more.
    private var leftOver: Set<String> = []
    private var hasWritten = false

    /// It is due at once.
    init(path: String?, at moment: Instant) {
        self.path = path
        due = moment
    }

    /// When it is to be written next; nil: never, as things stand.
    var next: Instant? { path == nil ? nil : due }

    /// The file is another from here on, and due at once; or there is none.
    mutating func use(_ path: String?, at moment: Instant) {
        guard path != self.path else { return }
        if hasWritten, let former = self.path { leftOver.insert(former) }
        if let path { leftOver.remove(path) }
        self.path = path
        due = moment
        problem = nil
        hasWritten = false
    }

    var hasLeftOver: Bool { !leftOver.isEmpty }

    /// Files to be removed, each told once.
    mutating func takeLeftOver() -> Set<String> {
        defer { leftOver = [] }
        return leftOver
    }

    /// The file that is to be written now, where it is due. From then on the next one is; those that were missed are not
    /// made up for.
    mutating func begin(at moment: Instant) -> String? {
        guard let path, due <= moment else { return nil }
        repeat { due += Self.period } while due <= moment
        return path
    }

    /// The writing of `path` succeeded, or failed for that reason. Answers whether the failure is news.
    mutating func end(_ path: String, failure: String?) -> Bool {
        guard path == self.path else {
            // Meanwhile another is wanted.
            if failure == nil { leftOver.insert(path) }
            return false
        }
        if failure == nil { hasWritten = true }
        defer { problem = failure }
        return failure != nil && problem != failure
    }
}
