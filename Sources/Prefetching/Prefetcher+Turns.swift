import Stories

extension Prefetcher {
    /// Returns when nobody else is at work on the story, in the order of the calls. `endTurn` must follow.
    func takeTurn(_ key: StoryKey) async {
        guard turns[key] != nil else {
            turns[key] = []
            return
        }
        await withCheckedContinuation { turns[key, default: []].append($0) }
    }

    func endTurn(_ key: StoryKey) {
        if turns[key]?.isEmpty != false {
            turns[key] = nil
            parkIfCrowded(key)
        } else {
            turns[key]?.removeFirst().resume()
        }
    }
}
