import Platform

/// Runs blocking work on a thread of its own: the server under test needs the pool.
func offPool<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let thread = Locked<Thread?>(nil)
    let result: Result<Value, any Error> = try await withCheckedThrowingContinuation { continuation in
        do {
            let started = try Thread(name: "blocking") { continuation.resume(returning: Result { try work() }) }
            thread.withLock { $0 = started }
        } catch {
            continuation.resume(throwing: error)
        }
    }
    // It has nothing left to do.
    thread.withLock { $0 }?.join()
    return try result.get()
}
