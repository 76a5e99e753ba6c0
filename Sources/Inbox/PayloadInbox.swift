package import Platform

/// A directory that payloads are dropped in: each file becomes one `Claim`, exactly once, and is the receiver's until
/// answered. A claim that is not answered is offered again by the next run, so no payload is lost, and one may come
/// again whose answer did not reach the disk.
///
/// All files and all state belong to the thread `inbox`; this is what the rest of the program holds of it. The thread
/// ends by `stop()`, or when this goes.
package final class PayloadInbox: Sendable {
    /// The payloads: claims of an earlier run first, then the oldest file first. At most `maximumClaims` are out and
    /// unanswered. Ends when the inbox has stopped. For one reader.
    package let claims: AsyncStream<Claim>

    private let mailbox: InboxMailbox
    private let report = Locked(InboxReport())
    private let options: InboxOptions
    private let log: Log
    private let isWhole: @Sendable ([UInt8]) -> Bool
    private let whenRejected: @Sendable (Rejection) -> Void
    private let isStarted = Locked(false)
    private let continuation: AsyncStream<Claim>.Continuation

    /// Touches nothing on disk: that begins with `start()`, for which the caller may first have to make sure that the
    /// inbox is nobody else's. `isWhole` tells whether bytes are a complete document: a file that no writer is known
    /// to have closed is left a while if not. `whenRejected` hears of each payload that is. Both are called on the
    /// inbox's thread.
    package init(
        options: InboxOptions, log: Log, whenRejected: @escaping @Sendable (Rejection) -> Void = { _ in },
        isWhole: @escaping @Sendable ([UInt8]) -> Bool
    ) throws(SystemError) {
        (claims, continuation) = AsyncStream.makeStream(of: Claim.self)
        mailbox = try InboxMailbox()
        self.options = options
        self.log = log
        self.isWhole = isWhole
        self.whenRejected = whenRejected
    }

    deinit {
        mailbox.post(.stop)
        continuation.finish()
    }

    /// Starts the thread, which makes the inbox where it is not there, watches it, takes stock of what waits there
    /// and then claims. Returns when that is known, or throws why it cannot; `claims` ends then. Where it was started before,
    /// nothing happens.
    package func start() async throws(SystemError) {
        let wasStarted = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return isStarted
        }
        if wasStarted { return }
        mailbox.begin()
        let opened = await withCheckedContinuation { opened in
            do throws(SystemError) {
                try runThread(opened)
            } catch {
                mailbox.end()
                opened.resume(returning: .failure(error))
            }
        }
        if case .failure = opened { continuation.finish() }
        try opened.get()
    }

    private func runThread(
        _ opened: CheckedContinuation<Result<Void, SystemError>, Never>
    ) throws(SystemError) {
        // Not this: it is to end when nobody else holds it.
        let thread = try Thread(name: "inbox") { [options, log, isWhole, whenRejected, mailbox, continuation, report] in
            do throws(SystemError) {
                var loop = try InboxLoop(
                    options: options, log: log, isWhole: isWhole, whenRejected: whenRejected, mailbox: mailbox,
                    claims: continuation,
                    report: report)
                loop.takeStock()
                opened.resume(returning: .success(()))
                loop.run()
            } catch {
                opened.resume(returning: .failure(error))
            }
            mailbox.end()
        }
        thread.detach()
    }

    /// Ends the thread, after what was asked of it before; `claims` ends. Claims that are out stay claimed.
    package func stop() async {
        mailbox.post(.stop)
        await mailbox.ended()
    }

    /// The claim's story is safe: the payload goes, or is kept in `.processed`.
    package func accept(_ claim: Claim) {
        mailbox.post(.accept(claim))
    }

    /// The claim can never become a story: it goes to `.rejected` with `code` and `message` beside it.
    package func reject(_ claim: Claim, code: String, message: String) {
        mailbox.post(.reject(claim, code: code, message: message))
    }

    /// The claim cannot be taken now: it stays claimed and is offered again after a delay, which grows from 5 s to
    /// a minute, or by a rescan. Others go on meanwhile.
    package func putBack(_ claim: Claim) {
        mailbox.post(.putBack(claim))
    }

    /// Looks at the whole inbox again, and offers again what was put back.
    package func rescan() {
        mailbox.post(.rescan)
    }

    /// Takes other options, but for `path`.
    package func reload(_ options: InboxOptions) {
        mailbox.post(.reload(options))
    }

    /// Returns when the thread has come round to answer, or where there is none: a sign of life.
    package func ping() async {
        await withCheckedContinuation { answer in
            if !mailbox.postIfRunning(.ping(answer)) { answer.resume() }
        }
    }

    package var statistics: InboxStatistics { report.withLock { $0.statistics } }

    /// What an operator has to mend; at most some hundred entries.
    package var problems: [InboxProblem] { report.withLock { $0.problems } }
}
