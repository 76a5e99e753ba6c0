import Platform

/// The index as the rest of the cache uses it: what fails is logged once and mended as far as it can be, and costs
/// hits, never more. Whether it knows all that the disk does is told by `isComplete`. Owned by `CacheStorage`.
final class SelfMendingIndex {
    private let log: Log
    private var file: IndexFile?
    private var index: Index?
    /// Which file `index` was opened as.
    private var identity: UInt64?
    /// Whether anything was lost since the last recovery began, which then must begin again: what it does not know may
    /// be of value.
    private(set) var hasLost = false

    /// That its file was removed.
    private(set) var interference = Interference()
    /// Why it cannot be used, or could not be used last; nil where all is well.
    private(set) var problem: String?
    /// False where pins and sources may be missing.
    private(set) var isComplete = false

    init(log: Log) {
        self.log = log
    }

    /// Whether it can be used now.
    var isOpen: Bool { index != nil }

    /// Opens the index in the state directory. Where that fails, each use tries again.
    func open(in directory: String) {
        file = IndexFile(directory: directory)
        open()
        hasLost = false
    }

    /// Closes the index; nothing can use it until it is opened again.
    func close() {
        index = nil
        file = nil
    }

    /// Runs `body` with the index; gives `absent` where the index cannot do it.
    func use<Result>(orElse absent: Result, _ body: (Index) throws(DatabaseError) -> Result) -> Result {
        reopenIfGone()
        do throws(DatabaseError) {
            if let result = try attempt(body) { return result }
        } catch {
            note(error)
            if error.isDamage, let result = makeNew(thenTry: body) { return result }
        }
        noteLoss()
        return absent
    }

    /// Nil where there is no index.
    private func attempt<Result>(_ body: (Index) throws(DatabaseError) -> Result) throws(DatabaseError) -> Result? {
        guard let index else { return nil }
        return try body(index)
    }

    /// Puts an empty index in the place of one that turned out to be damaged, and runs `body` with it.
    private func makeNew<Result>(thenTry body: (Index) throws(DatabaseError) -> Result) -> Result? {
        // Closed first: a connection locks its file for itself.
        index = nil
        noteLoss()
        guard let file else { return nil }
        do throws(DatabaseError) {
            index = try file.makeNew()
            identity = currentIdentity(file)
            return try attempt(body)
        } catch {
            note(error)
            return nil
        }
    }

    /// All holdings are about to be told to it.
    func beginRecovery() {
        isComplete = false
        hasLost = false
    }

    /// All holdings were told; it is complete if it took them all.
    func endRecovery() {
        if hasLost { return }
        isComplete = true
        problem = nil
    }

    /// Its file may be removed from outside while it is open: then all it knows goes into a new one.
    private func reopenIfGone() {
        guard let file else { return }
        guard index != nil else { return open() }
        guard hasMoved(file) else { return }
        log.warning("the index is gone from \(file.directory): writing it again")
        interference.note("the index was removed from \(file.directory): it is written again", at: .now)
        do throws(DatabaseError) {
            index = try attempt { index throws(DatabaseError) in try file.remake(from: index) }
            identity = currentIdentity(file)
        } catch {
            note(error)
            index = nil
            open()
        }
    }

    /// Whether the file's name is no longer that of the open file. One that cannot be looked at has not moved.
    private func hasMoved(_ file: IndexFile) -> Bool {
        do throws(SystemError) { return try file.identity() != identity } catch { return false }
    }

    private func currentIdentity(_ file: IndexFile) -> UInt64? {
        do throws(SystemError) { return try file.identity() } catch { return nil }
    }

    private func open() {
        guard let file else { return }
        do throws(DatabaseError) {
            let (opened, loss) = try file.open()
            index = opened
            identity = currentIdentity(file)
            problem = nil
            guard let loss else { return }
            noteLoss()
            log.info("a new index is made: \(loss)")
        } catch {
            note(error)
        }
    }

    /// It did not get to know something that is on disk.
    func noteLoss() {
        isComplete = false
        hasLost = true
    }

    private func note(_ error: DatabaseError) {
        if problem != error.description { log.error("index: \(error)") }
        problem = error.description
    }
}
