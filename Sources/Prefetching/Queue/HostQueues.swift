import Platform
import Stories

/// The keys waiting for each host, and how many transfers each host has. Hosts take turns; a full one is passed over, and
/// so is one with a transfer that is late with its connection: it is asked for no more until it has answered. Keys may stand in it twice or be outdated: the caller says at the end whether one is still wanted.
struct HostQueues: Sendable {
    private struct Waiting {
        var first = FirstInFirstOut<String>()
        var later = RoundRobin<StoryKey, String>()
    }

    private var waiting: [String: Waiting] = [:]
    private var running: [String: Int] = [:]
    /// Of these, the late ones.
    private var late: [String: Int] = [:]
    /// The hosts that have first pages waiting, and those that have later ones, in the order of their turns.
    private var firstTurns = FirstInFirstOut<String>()
    private var laterTurns = FirstInFirstOut<String>()

    mutating func append(_ key: String, of story: StoryKey, host: String, isFirst: Bool) {
        if !hasKeys(host, isFirst: isFirst) { takeTurn(host, isFirst: isFirst) }
        // In place: a copy would cost as much as there is waiting.
        if isFirst {
            waiting[host, default: Waiting()].first.append(key)
        } else {
            waiting[host, default: Waiting()].later.append(key, of: story)
        }
    }

    /// The next key that is wanted and whose host has a free slot.
    mutating func popFirst(perHost: Int, isWanted: (String) -> Bool) -> String? {
        for isFirst in [true, false] {
            let limit = isFirst ? perHost : Self.slotsForLaterPages(of: perHost)
            for _ in 0..<(isFirst ? firstTurns.count : laterTurns.count) {
                let turn = isFirst ? firstTurns.popFirst() : laterTurns.popFirst()
                guard let host = turn else { break }
                guard hasFreeSlot(host, of: limit) else {
                    takeTurn(host, isFirst: isFirst)
                    continue
                }
                let key = popKey(of: host, isFirst: isFirst, isWanted: isWanted)
                if hasKeys(host, isFirst: isFirst) { takeTurn(host, isFirst: isFirst) }
                if let key { return key }
            }
        }
        return nil
    }

    /// The last of several slots is kept for first pages, so that a story whose pages hang does not keep the first page
    /// of the next one waiting.
    private static func slotsForLaterPages(of slots: Int) -> Int { slots > 2 ? slots - 1 : slots }

    /// Whether one more transfer to the host may start, where it may have `slots` at once.
    func hasFreeSlot(_ host: String, of slots: Int) -> Bool {
        running[host, default: 0] < slots && late[host] == nil
    }

    mutating func occupy(_ host: String, isLate: Bool) {
        running[host, default: 0] += 1
        if isLate { late[host, default: 0] += 1 }
    }

    mutating func vacate(_ host: String, isLate: Bool) {
        Self.decrease(host, in: &running)
        if isLate { Self.decrease(host, in: &late) }
    }

    private static func decrease(_ host: String, in counts: inout [String: Int]) {
        let count = counts[host, default: 1] - 1
        counts[host] = count > 0 ? count : nil
    }

    private mutating func takeTurn(_ host: String, isFirst: Bool) {
        if isFirst { firstTurns.append(host) } else { laterTurns.append(host) }
    }

    private func hasKeys(_ host: String, isFirst: Bool) -> Bool {
        guard let keys = waiting[host] else { return false }
        return isFirst ? !keys.first.isEmpty : !keys.later.isEmpty
    }

    private mutating func popKey(of host: String, isFirst: Bool, isWanted: (String) -> Bool) -> String? {
        guard var keys = waiting.removeValue(forKey: host) else { return nil }
        defer { if !keys.first.isEmpty || !keys.later.isEmpty { waiting[host] = keys } }
        while let key = isFirst ? keys.first.popFirst() : keys.later.popFirst() {
            if isWanted(key) { return key }
        }
        return nil
    }
}
