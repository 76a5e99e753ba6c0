package import Addresses
package import Stories

/// The words that the queue and the actor around it speak to each other.
extension FetchQueue {
    /// A page that wants a URL's picture.
    package struct Waiter: Hashable, Sendable {
        package let story: StoryKey
        /// Which of the stories that had this key: a story may be replaced while its pictures are under way.
        package let generation: Int
        /// The page's place in the story's list of pages.
        package let page: Int

        package init(story: StoryKey, generation: Int, page: Int) {
            self.story = story
            self.generation = generation
            self.page = page
        }
    }

    package struct Limits: Sendable, Equatable {
        package var concurrency: Int
        package var perHost: Int
        package var retry: RetryPolicy

        package init(concurrency: Int, perHost: Int, retry: RetryPolicy) {
            self.concurrency = concurrency
            self.perHost = perHost
            self.retry = retry
        }
    }

    /// What became of a wish.
    package enum Joining: Sendable {
        /// There is a new fetch for it.
        case began
        /// A fetch was there already, and serves it too.
        case joined
        /// The page waited for it already.
        case known
    }

    /// A transfer to start now.
    package struct Start: Sendable, Equatable {
        package let key: String
        package let url: WebURL
        /// Which of all starts it is.
        package let number: Int
    }

    /// What decides over another attempt.
    package struct Failure: Sendable {
        /// Another attempt may end better.
        package let mayPass: Bool
        /// The way to the origin failed, not the origin: when the network is back, that is a reason to try again.
        package let isNetwork: Bool
        package let retryAfter: Duration?
        /// Another attempt soon is of no use: the round ends with this one.
        package let endsRound: Bool

        package init(mayPass: Bool, isNetwork: Bool, retryAfter: Duration?, endsRound: Bool = false) {
            self.mayPass = mayPass
            self.isNetwork = isNetwork
            self.retryAfter = retryAfter
            self.endsRound = endsRound
        }
    }

    /// What a fetch has been through, where it is given up and asked for again: its rests go on from there.
    package struct History: Sendable, Equatable {
        /// Rounds that failed.
        package var rounds = 0
        /// Attempts made in the round.
        package var attempts = 0

        package init(rounds: Int = 0, attempts: Int = 0) {
            self.rounds = rounds
            self.attempts = attempts
        }
    }

    /// How things stand with what a story waits for.
    package struct Outlook: Sendable, Equatable {
        /// A transfer of it is under way.
        package internal(set) var isRunning = false
        /// Something of it waits for a slot.
        package internal(set) var isQueued = false
        /// The host of that has a free slot.
        package internal(set) var couldStart = false
        /// When the first of what rests is tried again; nil where nothing rests.
        package internal(set) var nextAttempt: Instant?
        /// Of what failed most.
        package internal(set) var history = History()
        /// The network failed something of it.
        package internal(set) var isSevered = false
    }

    /// Who is to be told that an attempt failed, and what follows.
    package struct Ended: Sendable {
        /// They go on waiting, for the attempt at `retryAt`.
        package let retrying: [Waiter]
        /// No attempt follows for them.
        package let givenUp: [Waiter]
        /// When the next attempt or round is due; nil where there is none.
        package let retryAt: Instant?
        /// No further attempt in this round.
        package let roundIsOver: Bool
    }
}
