import Stories

extension Prefetcher {
    /// Returns when nobody else is at work on the story, in the order of the calls. `endTurn` must follow.
    func takeTurn(_ key: StoryKey) async {
        await take(.story(key))
    }

    func endTurn(_ key: StoryKey) {
        if let next = turns.end(.story(key)) { next.resume() } else { parkIfCrowded(key) }
    }

    /// Whether somebody is at work on the story.
    func isInTurn(_ key: StoryKey) -> Bool { turns.isTaken(.story(key)) }

    /// Returns when nobody else makes room, in the order of the calls. `endRoomTurn` must follow. Who has it waits for no
    /// story's turn.
    func takeRoomTurn() async {
        await take(.room)
    }

    func endRoomTurn() {
        turns.end(.room)?.resume()
    }

    private func take(_ place: Turns.Place) async {
        if turns.take(place) { return }
        await withCheckedContinuation { turns.wait(for: place, $0) }
    }
}
