import Hashing
import MediaCache
import Platform

/// When the next object is read to see whether it still is what its name says: one pass over everything a week, at no
/// more than two megabytes a second on the average, going on after a restart where it was. Pure: time comes in, and only
/// by what is believed of the clock, so that no jump of it skips a pass or begins one early. Owned by `Prefetcher`.
struct Scrub: Sendable {
    /// Goes on while the machine sleeps.
    typealias Instant = ContinuousClock.Instant

    /// Bytes a second: little beside what any disk can do, and a cache of a gigabyte in nine idle minutes.
    static let rate = 2 << 20
    /// Seconds from the beginning of a pass to that of the next, at least.
    static let interval = 7 * 86_400.0
    /// What was not read while there was something to do is not made up for at once: bytes.
    static let mostAllowed = 5 * rate

    private(set) var memory: ScrubMemory?
    /// Bytes that may be read now; less than none after an object that was larger.
    private var allowance = mostAllowed
    private var lastLook: Instant?
    /// What this pass has found, as far as this process knows.
    private(set) var found = Verification()

    /// Goes on from where the last process was.
    init(_ memory: ScrubMemory? = nil) {
        self.memory = memory
    }

    /// Whether a pass is under way, or is to begin now; it has begun then.
    mutating func isDue(_ time: AgeClock.Reading, at moment: Instant) -> Bool {
        let seconds = lastLook.map { $0.duration(to: moment) / .seconds(1) } ?? 0
        allowance = min(Self.mostAllowed, allowance + Int(min(seconds, 60) * Double(Self.rate)))
        lastLook = moment
        if let memory, memory.progress != .done { return true }
        if let memory {
            // One that seems to have begun in the future did so by a clock that was wrong.
            let age = Double(time.earliest.milliseconds - memory.began.milliseconds) / 1000
            guard age >= Self.interval || memory.began > time.latest else { return false }
        }
        memory = ScrubMemory(began: time.earliest)
        found = Verification()
        return true
    }

    /// From after which content the reading goes on.
    var position: ContentID? {
        if case .upTo(let content) = memory?.progress { content } else { nil }
    }

    var mayRead: Bool { allowance > 0 && memory?.progress != .done }

    /// All copies of that content were read.
    mutating func read(_ content: ContentID, objects: Int, bytes: Int64, lost: Int) {
        memory?.progress = .upTo(content)
        allowance -= Int(bytes)
        found.checked += objects
        found.corrupt += lost
    }

    /// There is no content after the last.
    mutating func end() {
        memory?.progress = .done
    }
}
