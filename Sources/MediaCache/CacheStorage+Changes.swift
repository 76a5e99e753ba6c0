import Platform

// Changes that are to last are made in groups: whatever has come while the disk was busy is written, waited for, named
// and waited for together. A lone one takes as long as ever, and a flood is not one wait after the other.

extension CacheStorage {
    /// A change that waits for its turn, and who waits for it.
    struct Waiting {
        let change: any DurableChange
        let answer: CheckedContinuation<CacheFailure?, Never>
    }

    /// Changes in one group, at most: whoever comes meanwhile waits for it.
    private static let largestGroup = 32

    /// Makes the change with all others that wait, when the storage comes round to it.
    func make(_ change: any DurableChange) async throws(CacheFailure) {
        let failure = await withCheckedContinuation { answer in
            waiting.append(Waiting(change: change, answer: answer))
            beginGroup()
        }
        if let failure { throw failure }
    }

    /// Makes the change by itself, now.
    func makeNow(_ change: any DurableChange) throws(CacheFailure) {
        if let failure = outcomes(of: [change])[0] { throw failure }
    }

    /// Has the group made that waits. One that is urgent does not wait as long as one that is not.
    private func beginGroup() {
        let priority = Task.currentPriority
        guard groupPriority.map({ $0 < priority }) ?? true else { return }
        groupPriority = priority
        Task(priority: priority) { makeGroup() }
    }

    private func makeGroup() {
        groupPriority = nil
        guard !waiting.isEmpty else { return }
        let group = Array(waiting.prefix(Self.largestGroup))
        waiting.removeFirst(group.count)
        for (waiting, failure) in zip(group, outcomes(of: group.map(\.change))) {
            waiting.answer.resume(returning: failure)
        }
        if !waiting.isEmpty { beginGroup() }
    }

    /// Makes the changes, and says of each why it could not be made.
    private func outcomes(of changes: [any DurableChange]) -> [CacheFailure?] {
        var failures = [CacheFailure?](repeating: nil, count: changes.count)
        for isNamed in [false, true] {
            var targets = Targets()
            for (place, change) in changes.enumerated() where failures[place] == nil {
                do throws(CacheFailure) {
                    targets.add(isNamed ? try change.name(self) : try change.write(self), for: place)
                } catch {
                    failures[place] = error
                }
            }
            for (places, failure) in zip(targets.places, synchronizer.synchronize(targets.all)) {
                guard let failure else { continue }
                for place in places where failures[place] == nil { failures[place] = CacheFailure(failure) }
            }
        }
        for (place, change) in changes.enumerated() {
            do throws(CacheFailure) {
                try writing(to: change.container, bytes: change.bytes) { () throws(CacheFailure) in
                    if let failure = failures[place] {
                        change.abandon()
                        throw failure
                    }
                    try change.finish(self)
                }
            } catch {
                failures[place] = error
            }
        }
        return failures
    }

    /// What a group waits for, each once, and which of its changes do.
    private struct Targets {
        private(set) var all: [Synchronizer.Target] = []
        private(set) var places: [[Int]] = []
        private var known: [Inode: Int] = [:]

        private struct Inode: Hashable {
            let device: UInt64
            let number: UInt64
        }

        mutating func add(_ targets: [Synchronizer.Target], for place: Int) {
            for target in targets {
                // What cannot be told from others is waited for by itself.
                guard case .directory(let directory) = target, let status = try? directory.descriptor.status() else {
                    append(target, place)
                    continue
                }
                let inode = Inode(device: status.device, number: status.inode)
                if let number = known[inode] {
                    places[number].append(place)
                } else {
                    known[inode] = all.count
                    append(target, place)
                }
            }
        }

        private mutating func append(_ target: Synchronizer.Target, _ place: Int) {
            all.append(target)
            places.append([place])
        }
    }
}
