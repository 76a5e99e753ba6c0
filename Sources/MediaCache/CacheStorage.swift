import Glibc
import Hashing
package import Platform
package import Stories

/// The cache on disk: the one owner of its directories, of the index, and of each fsync and rename in it. Its work is
/// done on the thread of its executor, so it may block.
///
/// The disk is the truth. An index that fails costs hits, never an object or a manifest: it is made anew, and
/// `needsRecovery` says that the stories' holdings must be told to it again.
///
/// Life: `open`, then `adopt` for each of `storiesOnDisk`, then `finishRecovery`; everything else is for any time after
/// `open`.
package actor CacheStorage {
    package private(set) var options: CacheOptions
    let log: Log
    /// Called on the storage's thread.
    private let tell: @Sendable (CacheEvent) -> Void
    private let executor: ThreadExecutor
    var lock: StateLock?
    var clockFile: StateFile<ClockMemory>?
    var scrubFile: StateFile<ScrubMemory>?
    /// Why the lock, which was removed, cannot be made again; for people.
    var stateObstacle: String?
    let index: SelfMendingIndex
    /// The containers whose stories were all found when the recovery began: in these alone may it clear up.
    var searched: Set<Container> = []
    /// What kept it from searching others; for people.
    var obstacles: [String] = []
    /// Whether the leftovers of an earlier process are gone.
    var hasRecoveredOnce = false
    /// What is counted since the start; the sums are the index's.
    var counts = CacheStatistics()
    /// The partials that somebody is writing to, by name.
    var livePartials: [String: Partial] = [:]
    /// Those of them that have notes, by name.
    var noted: [String: NotedPartial] = [:]
    /// Those of them whose bytes could not be brought to disk when that was tried, by name.
    var spoiled: [String: CacheFailure] = [:]
    /// What nobody writes to and is to be gone on with.
    var kept = KeptPartials()
    /// Who is about to name which objects in a manifest.
    let holds = Holds()
    /// What is kept for partials that are about to be published, by the partial's name.
    var reservations: [String: [Container: Reservation]] = [:]
    /// Bytes that objects take, counted beside the index: the limit holds while that cannot tell.
    var knownBytes: Int64 = 0
    /// Containers that no object could be removed from; each is said once, until one can be.
    var undeletable: Set<Container> = []
    /// Why containers could not be written to.
    var troubles = ContainerTroubles()
    /// What others have done to what is the daemon's.
    var interference = Interference()
    /// The containers that were removed, with what is to be told of that, until they are there again.
    var removedContainers: [Container: String] = [:]
    /// Which directory each container's was when it was looked at last.
    var identities: [Container: ContainerDirectory.Identity] = [:]
    /// The container whose stories were listed last although it is the one it was.
    var lastListed: Container?
    /// What is in the place of an object and is not the daemon's to remove: paths.
    var obstructions: Set<String> = []
    /// Whether the fallback directory could not be made, or waited for, when that was tried last.
    private var lacksFallback = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    /// The newest decision on what each container's `latest.json` says that has come here.
    var latestDecisions: [Container: Int] = [:]
    /// The changes that wait to be made, and how urgent the turn is that will make them; nil where none is to come.
    var waiting: [Waiting] = []
    var groupPriority: TaskPriority?
    /// The objects that this process has written, or read whole, and the inodes that they had then.
    var seenWhole: [Container: [ContentID: UInt64]] = [:]
    let synchronizer = Synchronizer(name: "sync", threads: 8)
    private var signsOfLife = 0

    /// Answers when its thread has come round to it, with how often it has. (A method that did nothing would need no
    /// thread: the compiler leaves the hop out.)
    package func ping() -> Int {
        signsOfLife &+= 1
        return signsOfLife
    }

    /// `tell` hears of what happens; it must not wait.
    package init(
        options: CacheOptions, executor: ThreadExecutor, log: Log,
        tell: @escaping @Sendable (CacheEvent) -> Void = { _ in }
    ) {
        self.options = options
        self.executor = executor
        self.log = log
        self.tell = tell
        index = SelfMendingIndex(log: log)
    }

    /// Takes what may change while it is open: all but the places.
    package func update(_ options: CacheOptions) {
        let places = self.options
        self.options = options
        self.options.stateDirectory = places.stateDirectory
        self.options.appGroupsRoot = places.appGroupsRoot
        self.options.fallbackDirectory = places.fallbackDirectory
        trimKept()
    }

    /// Counts and tells that a file of `container` was not what its name says, or not there.
    func noteCorrupt(_ object: StoredObject, in container: Container) {
        counts.corrupt += 1
        tell(.corrupt(file: object.file, container))
    }

    /// Counts and tells what was removed to make room; `story`: for which it had been kept, in `container`.
    func noteEvicted(_ removal: Removal, story: StoryID? = nil, in container: Container? = nil) {
        counts.evicted += removal.objects
        if removal.objects > 0 { tell(.evicted(removal, story: story, container: container)) }
    }

    /// Makes and locks the state directory, opens the index. Fails with `owned` where another daemon has the lock, and
    /// otherwise where the state directory cannot be written to. What may pass is told by `problems` instead.
    package func open() throws(CacheFailure) {
        try openState()
        index.open(in: options.stateDirectory)
        knownBytes = indexedBytes
        // Made now, before another can take its name.
        do throws(CacheFailure) { try FallbackDirectory.makeDurable(options.fallbackDirectory) } catch {
            lacksFallback = true
            log.warning(error.message)
        }
    }

    /// Lets go of the index and the lock. Only `open` may follow.
    package func close() {
        index.close()
        clockFile = nil
        scrubFile = nil
        lock = nil
    }

    /// Whether pins and sources may be missing in the index: at the start, and after a loss. The stories on disk are to be
    /// adopted then. While it is so, nothing that a manifest might hold may be removed.
    package var needsRecovery: Bool { !index.isComplete }

    /// The container for stories of `group`: its own directory where that is a real one, else a fallback.
    package func container(for group: GroupID?) throws(CacheFailure) -> Container {
        guard let group else { return .fallback(nil) }
        if try isProvisioned(group) { return .provisioned(group) }
        // The next payload has found another way.
        removedContainers[.provisioned(group)] = nil
        return .fallback(group)
    }

    private func isProvisioned(_ group: GroupID) throws(CacheFailure) -> Bool {
        do {
            let root = try Directory.open(options.appGroupsRoot)
            return try root.status(of: group.description)?.kind == .directory
        } catch {
            if error.isMissing { return false }
            throw CacheFailure(error)
        }
    }

    /// What is wrong now. A fallback directory that is not there is no problem, if it could be made: that is done when
    /// it is needed.
    package func problems() -> [CacheProblem] {
        var problems: [CacheProblem] = []
        if !index.isOpen {
            problems.append(CacheProblem(code: .indexUnavailable, message: index.problem ?? "the index is not open"))
        } else if needsRecovery {
            let message = obstacles.first ?? "the index is being told again from disk"
            problems.append(CacheProblem(code: .indexIncomplete, message: message))
        }
        let fallback = fallbackProblem()
        if let fallback { problems.append(fallback) }
        return problems + containerProblems(isFallbackUsable: fallback == nil)
            + interferences().map { CacheProblem(code: .interference, message: $0) }
    }

    private func fallbackProblem() -> CacheProblem? {
        do throws(CacheFailure) {
            if lacksFallback { try FallbackDirectory.makeDurable(options.fallbackDirectory) }
            lacksFallback = false
            let directory = try FallbackDirectory.open(options.fallbackDirectory, makes: false)
            try classified { () throws(SystemError) in try directory?.checkWritable() }
            return nil
        } catch {
            let remedy = error.kind == .refused ? "" : ". \(Self.remedy(error))"
            return CacheProblem(
                code: .fallbackUnusable,
                message: "payloads that need the fallback directory wait: \(error.message)\(remedy)")
        }
    }
}
