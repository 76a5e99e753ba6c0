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
    /// What the thread is to run; nil once it has it.
    private let loop: Locked<InboxLoop?>

    /// Makes the inbox where it is not there, watches it and takes stock of what it keeps. Nothing is claimed before
    /// `start()`. `isWhole` tells whether bytes are a complete document: a file that no writer is known to have closed
    /// is left a while if not. It is called on the inbox's thread.
    package init(
        options: InboxOptions, log: Log, isWhole: @escaping @Sendable ([UInt8]) -> Bool
    ) throws(SystemError) {
        let (claims, continuation) = AsyncStream.makeStream(of: Claim.self)
        self.claims = claims
        mailbox = try InboxMailbox()
        loop = Locked(
            try InboxLoop(
                options: options, log: log, isWhole: isWhole, mailbox: mailbox, claims: continuation, report: report))
    }

    deinit {
        mailbox.post(.stop)
    }

    /// Starts the thread; where it was started before, nothing happens.
    package func start() throws(SystemError) {
        let taken = loop.withLock { loop in
            defer { loop = nil }
            return loop
        }
        guard let taken else { return }
        mailbox.begin()
        do throws(SystemError) {
            let thread = try Thread(name: "inbox") { [mailbox] in
                var loop = taken
                loop.run()
                mailbox.end()
            }
            thread.detach()
        } catch {
            mailbox.end()
            throw error
        }
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

    package var statistics: InboxStatistics { report.withLock { $0.statistics } }

    /// What an operator has to mend; at most some hundred entries.
    package var problems: [InboxProblem] { report.withLock { $0.problems } }
}
