import Inbox
import MediaCache
import Platform
import Prefetching
import Stories

/// Takes claims from the inbox, one after the other, until each is a story, a fallback, or rejected. What the cache
/// cannot take now goes back and holds up nothing.
final class PayloadIntake: Sendable {
    private let inbox: PayloadInbox
    private let prefetcher: Prefetcher
    private let log: Log
    private let limits: Locked<PayloadLimits>
    private let refusals = Locked(Refusals())

    init(inbox: PayloadInbox, prefetcher: Prefetcher, limits: PayloadLimits, log: Log) {
        self.inbox = inbox
        self.prefetcher = prefetcher
        self.limits = Locked(limits)
        self.log = log
    }

    /// Takes effect with the next payload.
    func update(_ limits: PayloadLimits) {
        self.limits.withLock { $0 = limits }
    }

    /// Why payloads wait, one text for each group that cannot take any.
    var problems: [String] {
        refusals.withLock { $0.current(at: .now) }.map { "payloads for \($0.name) wait in the inbox: \($0.message)" }
    }

    /// Ends when the inbox does. Claims that come after the prefetcher was stopped are left unanswered: the next run
    /// is offered them again.
    func run() async {
        for await claim in inbox.claims where await !prefetcher.isStopping { await take(claim) }
    }

    private func take(_ claim: Claim) async {
        let stories: [Story]
        do throws(PayloadRejection) {
            stories = try PayloadParser.stories(from: claim.bytes, limits: limits.withLock { $0 })
        } catch {
            inbox.reject(claim, code: error.code.rawValue, message: error.message)
            return
        }
        let name = claim.group.map { "group \($0)" } ?? "no group"
        do throws(CacheFailure) {
            for story in stories {
                // The claim stays unanswered then, whatever part of it is stories by now.
                if await prefetcher.isStopping { return }
                try await prefetcher.accept(story, group: claim.group, receivedAt: claim.claimedAt)
            }
            inbox.accept(claim)
            refusals.withLock { $0.end(for: name) }
        } catch {
            let isNews = refusals.withLock { $0.note(error.message, for: name, at: .now) }
            if isNews {
                log.error(
                    "payloads for \(name) wait in the inbox: \(error). They are tried again within a minute",
                    .group(claim.group), .code(error.pageCode.rawValue))
            }
            inbox.putBack(claim)
        }
    }
}
