package import Platform

/// Downloads pictures: one thread runs libcurl's multi loop for all transfers. Each transfer begins at once; how many
/// there are, and to which hosts, is the caller's to decide.
///
/// This is the handle that others hold, from any thread. What the loop works with (multi handle, easy handles, bodies)
/// lives on its thread alone and is spoken to by a mailbox.
package final class TransferLoop: Sendable {
    private let mailbox: LoopMailbox
    private let counters: Locked<TransferStatistics>

    /// Starts the thread `transfers`, which runs until `stop`.
    package convenience init(options: TransferOptions, log: Log) throws(SystemError) {
        try self.init(options: options, log: log, resolver: Resolver())
    }

    init(options: TransferOptions, log: Log, resolver: Resolver) throws(SystemError) {
        let mailbox = try LoopMailbox()
        let counters = Locked(TransferStatistics())
        self.mailbox = mailbox
        self.counters = counters
        let thread = try Thread(name: "transfers") {
            TransferLoop.run(mailbox, ActiveTransfers(options, mailbox, resolver, counters, log))
        }
        // `stop` waits for the end of its work; the thread itself is nobody's.
        thread.detach()
    }

    /// Fetches one picture into the request's file. When the calling task is cancelled the transfer ends, with the
    /// code `cancelled`. Transfers begin in the order in which one actor asks for them.
    package func download(
        _ request: TransferRequest, isolation: isolated (any Actor)? = #isolation
    ) async -> Result<Arrival, TransferFailure> {
        let id = mailbox.nextID()
        return await withTaskCancellationHandler {
            // A closure runs on the actor only where it holds it; elsewhere, one call might overtake another.
            _ = isolation
            return await withCheckedContinuation { answer in
                guard mailbox.post(.start(id, request, answer)) else {
                    let remains = request.resumption.flatMap { Remains($0) }
                    answer.resume(returning: .failure(.cancelled.leaving(remains)))
                    return
                }
                // A cancellation that came first was posted first, and then it was of no transfer yet.
                if Task.isCancelled { _ = mailbox.post(.cancel(id)) }
            }
        } onCancel: {
            _ = mailbox.post(.cancel(id))
        }
    }

    /// Takes new options for the transfers that begin from now on; the limit of the rate holds for all at once.
    package func update(_ options: TransferOptions) {
        _ = mailbox.post(.options(options))
    }

    /// Ends all transfers with `cancelled`, and the thread; returns when that is done. Nothing that hangs outside, a
    /// name server or an origin, holds it up.
    package func stop() async {
        await withCheckedContinuation { stopped in
            if !mailbox.post(.stop(stopped)) { stopped.resume() }
        }
    }

    /// Returns when the thread has come round to answer, or has ended: a sign of life.
    package func ping() async {
        await withCheckedContinuation { answer in
            if !mailbox.post(.ping(answer)) { answer.resume() }
        }
    }

    package var statistics: TransferStatistics {
        counters.withLock { $0 }
    }

    private static func run(_ mailbox: LoopMailbox, _ transfers: ActiveTransfers) {
        var stopped: [CheckedContinuation<Void, Never>] = []
        var clock = TurnClock(at: .now)
        while true {
            if let gap = clock.gap(at: .now) { transfers.postpone(by: gap) }
            for message in mailbox.take() {
                if case .stop(let continuation) = message {
                    stopped.append(continuation)
                } else {
                    transfers.take(message)
                }
            }
            guard stopped.isEmpty else { break }
            clock.willSleep(.zero, at: .now)
            transfers.perform()
            // The process may have been stopped in mid-work, too.
            if let gap = clock.gap(at: .now) { transfers.postpone(by: gap) }
            transfers.settle()
            transfers.closeIdleConnections()
            let sleep = transfers.longestSleep
            clock.willSleep(sleep, at: .now)
            transfers.wait(sleep)
        }
        for message in mailbox.close() {
            if case .stop(let continuation) = message { stopped.append(continuation) } else { transfers.take(message) }
        }
        transfers.end()
        for continuation in stopped { continuation.resume() }
    }
}
