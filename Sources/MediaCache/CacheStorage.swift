import Glibc
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
    private let executor: ThreadExecutor
    private var lock: StateLock?
    private var indexFile: IndexFile?
    private var index: Index?
    /// Which file the index was opened as.
    private var indexIdentity: UInt64?
    /// What was last logged of it, so that each problem is logged once.
    private var indexProblem: String?

    /// Whether pins and sources may be missing in the index. While it is so, nothing that a manifest might hold may be
    /// removed.
    package internal(set) var needsRecovery = true
    /// What is counted since the start; the sums are the index's.
    var counts = CacheStatistics()
    /// The partials that somebody is writing to.
    var livePartials: Set<String> = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init(options: CacheOptions, executor: ThreadExecutor, log: Log) {
        self.options = options
        self.executor = executor
        self.log = log
    }

    /// Takes what may change while it is open: all but the places.
    package func update(_ options: CacheOptions) {
        let places = self.options
        self.options = options
        self.options.stateDirectory = places.stateDirectory
        self.options.appGroupsRoot = places.appGroupsRoot
        self.options.fallbackDirectory = places.fallbackDirectory
    }

    /// Makes and locks the state directory, opens the index. Fails with `owned` where another daemon has the lock, and
    /// otherwise where the state directory cannot be used.
    package func open() throws(CacheFailure) {
        let state = try classified { () throws(SystemError) in
            let state = try Directory.make(options.stateDirectory, mode: 0o700)
            if try state.descriptor.status().mode & 0o077 != 0 {
                try checked("chmod", path: state.path) { fchmod(state.descriptor.raw, 0o700) }
            }
            return state
        }
        lock = try StateLock(in: state)
        let file = IndexFile(directory: state)
        indexFile = file
        openIndex()
        // The program cannot work where not even its state can be written.
        if index == nil { throw CacheFailure(.io, indexProblem ?? "the index cannot be opened") }
        for problem in problems() where problem.code == .fallbackRefused { log.warning(problem.message) }
    }

    /// The container for stories of `group`: its own directory where that is a real one, else a fallback.
    package func container(for group: GroupID?) throws(CacheFailure) -> Container {
        guard let group else { return .fallback(nil) }
        return try isProvisioned(group) ? .provisioned(group) : .fallback(group)
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

    /// What is wrong now.
    package func problems() -> [CacheProblem] {
        var problems: [CacheProblem] = []
        if let indexProblem, index == nil {
            problems.append(CacheProblem(code: .indexUnavailable, message: indexProblem))
        } else if needsRecovery {
            problems.append(CacheProblem(code: .indexIncomplete, message: "the index is being told again from disk"))
        }
        do throws(CacheFailure) {
            _ = try FallbackDirectory.open(options.fallbackDirectory, makes: true)
        } catch {
            problems.append(CacheProblem(code: .fallbackRefused, message: error.message))
        }
        return problems
    }

    // MARK: The index

    /// Runs `body` with the index; gives `absent` where the index cannot do it. What failed is logged once and mended
    /// as far as it can be.
    func withIndex<Result>(
        orElse absent: Result, _ body: (Index) throws(DatabaseError) -> Result
    ) -> Result {
        reopenIndexIfGone()
        guard let index else { return absent }
        do throws(DatabaseError) {
            return try body(index)
        } catch {
            needsRecovery = true
            note(error)
            if error.isDamage {
                self.index = nil
                openIndex()
            }
            return absent
        }
    }

    /// Its file may be removed from outside while it is open: then all it knows goes into a new one.
    private func reopenIndexIfGone() {
        guard let indexFile else { return }
        guard let index else { return openIndex() }
        guard indexFile.identity != indexIdentity else { return }
        log.warning("the index is gone from \(indexFile.directory.path): writing it again")
        do throws(DatabaseError) {
            self.index = try indexFile.remake(from: index)
            indexIdentity = indexFile.identity
        } catch {
            note(error)
            self.index = nil
            openIndex()
        }
    }

    private func openIndex() {
        guard let indexFile else { return }
        do throws(DatabaseError) {
            let (opened, loss) = try indexFile.open()
            index = opened
            indexIdentity = indexFile.identity
            if let loss {
                needsRecovery = true
                log.info("a new index is made: \(loss)")
            }
            indexProblem = nil
        } catch {
            index = nil
            note(error)
        }
    }

    private func note(_ error: DatabaseError) {
        if indexProblem != error.description { log.error("index: \(error)") }
        indexProblem = error.description
    }
}
