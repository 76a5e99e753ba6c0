import Stories

/// Who waits for stories to be settled. A plain value, owned by `Prefetcher`; each continuation in it is resumed once.
struct SettlementWaiters {
    private var waiting: [StoryKey: [Int: CheckedContinuation<Void, Never>]] = [:]
    private var lastNumber = 0

    var isEmpty: Bool { waiting.isEmpty }

    /// A number for one who is going to wait.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func add(_ continuation: CheckedContinuation<Void, Never>, _ number: Int, for key: StoryKey) {
        waiting[key, default: [:]][number] = continuation
    }

    /// The story is settled, or is no more.
    mutating func resume(_ key: StoryKey) {
        for continuation in (waiting.removeValue(forKey: key) ?? [:]).values { continuation.resume() }
    }

    /// That one waits no longer.
    mutating func resume(_ number: Int, for key: StoryKey) {
        waiting[key]?.removeValue(forKey: number)?.resume()
        if waiting[key]?.isEmpty == true { waiting[key] = nil }
    }

    mutating func resumeAll() {
        for key in waiting.keys { resume(key) }
    }
}
