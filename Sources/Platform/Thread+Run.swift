extension Thread {
    /// Runs `body` on a thread of its own and answers what it returns: for blocking work that is rare, so that no actor
    /// with a `ThreadExecutor` stands by for it. Throws where there can be no thread; `body` has not run then.
    package static func run<Value: Sendable>(
        name: String, _ body: @escaping @Sendable () -> Value
    ) async throws(SystemError) -> Value {
        let result: Result<Value, SystemError> = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                try Thread(name: name) { continuation.resume(returning: .success(body())) }.detach()
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}
