import Glibc
import Platform

// What lies in the state directory beside the index: the lock, and what one process leaves to the next.
extension CacheStorage {
    /// The time that the last process, or this one, believed last; nil where that is not known.
    package var clockMemory: ClockMemory? { clockFile?.memory }

    /// How far the last process, or this one, has come in reading all objects; nil where that is not known.
    package var scrubMemory: ScrubMemory? { scrubFile?.memory }

    /// Keeps it for the next process.
    package func remember(_ memory: ClockMemory) {
        keep(memory, in: &clockFile)
    }

    /// Keeps it for the next process.
    package func remember(_ memory: ScrubMemory) {
        keep(memory, in: &scrubFile)
    }

    private func keep<Memory>(_ memory: Memory, in file: inout StateFile<Memory>?) {
        let wasLost = file?.isLost == true
        do throws(SystemError) { try file?.write(memory) } catch {
            // It is tried again every minute.
            if !wasLost { log.warning("not kept for the next start: \(error)") }
        }
    }

    /// Makes and locks the state directory, and opens the files in it.
    func openState() throws(CacheFailure) {
        let state = try classified { () throws(SystemError) in
            let state = try Directory.make(options.stateDirectory, mode: 0o700)
            if try state.descriptor.status().mode & 0o077 != 0 {
                try state.descriptor.setMode(0o700)
            }
            return state
        }
        lock = try StateLock(in: state)
        do throws(SystemError) {
            clockFile = try StateFile("clock", in: state)
            scrubFile = try StateFile("scrub", in: state)
        } catch {
            log.warning("not kept for the next start: \(error)")
        }
    }

    /// Sees to it that no other daemon gets the state directory: where its lock was removed, it is made and taken again.
    /// Fails with `owned` where another has it by then. Costs next to nothing; call it every few seconds.
    package func keepState() throws(CacheFailure) {
        guard let lock else { return }
        do throws(SystemError) {
            if try lock.isInPlace(in: options.stateDirectory) { return }
        } catch {
            // What cannot be looked at is still ours; that it cannot be used is told of the index.
            return
        }
        let (clock, scrub) = (clockMemory, scrubMemory)
        do throws(CacheFailure) {
            try openState()
            log.warning("\(options.stateDirectory)/lock was removed, and is taken again")
            interference.note(
                "\(options.stateDirectory)/lock was removed: the state directory is made and locked again", at: .now)
            if let clock { remember(clock) }
            if let scrub { remember(scrub) }
        } catch {
            if error.kind == .owned { throw error }
            // Tried again with the next call.
            let message = "the state directory cannot be locked again: \(error). \(Self.remedy(error))"
            if stateObstacle == nil { log.error(message) }
            stateObstacle = message
            return
        }
        stateObstacle = nil
    }
}
