import Platform

// The time that was believed last, over restarts.
extension CacheStorage {
    /// What the last process, or this one, left; nil where that is nothing.
    package var clockMemory: ClockMemory? { clockFile?.memory }

    /// Keeps it for the next process.
    package func remember(_ memory: ClockMemory) {
        do throws(SystemError) {
            try clockFile?.write(memory)
            isClockForgotten = false
        } catch {
            // It is tried again every minute.
            if !isClockForgotten { log.warning("the time is not kept for the next start: \(error)") }
            isClockForgotten = true
        }
    }

    func openClockFile(in state: Directory) {
        do throws(SystemError) { clockFile = try ClockFile(in: state) } catch {
            log.warning("the time is not kept for the next start: \(error)")
        }
    }
}
