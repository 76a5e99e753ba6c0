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
    /// The containers that took nothing at the last try, and why, by the group's name.
    private let refusals = Locked<[String: String]>([:])

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
        refusals.withLock { refusals in
            refusals.sorted { $0.key < $1.key }.map { "payloads for \($0.key) wait in the inbox: \($0.value)" }
        }
    }

    /// Ends when the inbox does.
    func run() async {
        for await claim in inbox.claims { await take(claim) }
    }

    private func take(_ claim: Claim) async {
        let stories: [Story]
        do throws(PayloadRejection) {
            stories = try PayloadParser.stories(from: claim.bytes, limits: limits.withLock { $0 })
        } catch {
            inbox.reject(claim, code: error.code.rawValue, message: error.message)
            return
        }
        // What has no pages, or is rejected, waits for nobody.
        if stories.contains(where: { !$0.pages.isEmpty }) { await prefetcher.room() }
        let name = claim.group.map { "group \($0)" } ?? "no group"
        do throws(CacheFailure) {
            for story in stories {
                try await prefetcher.accept(story, group: claim.group, receivedAt: claim.claimedAt)
            }
            inbox.accept(claim)
            refusals.withLock { $0[name] = nil }
        } catch {
            let known = refusals.withLock { refusals in refusals.updateValue(error.message, forKey: name) }
            if known != error.message { log.error("payloads for \(name) wait in the inbox: \(error)") }
            inbox.putBack(claim)
        }
    }
}
