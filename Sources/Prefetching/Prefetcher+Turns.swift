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

    /// Returns when nobody else makes room, in the order of the calls: what one has made must not be missed by another,
    /// who would make as much again. `endRoomTurn` must follow. Who has it waits for no story's turn.
    func takeRoomTurn() async {
        guard roomTurns != nil else {
            roomTurns = []
            return
        }
        await withCheckedContinuation { roomTurns?.append($0) }
    }

    func endRoomTurn() {
        if roomTurns?.isEmpty != false {
            roomTurns = nil
        } else {
            roomTurns?.removeFirst().resume()
        }
    }
}
