import Glibc
import Platform
import Stories
import TestSupport

/// One story that comes to an idle daemon, seen as a player sees it: by inotify, `latest.json` and the manifest.
enum SingleStory {
    /// From the rename into the inbox, in milliseconds.
    struct Measured {
        private var firstPage = Samples()
        private var settled = Samples()
        /// Kept to the end, as `StoryFlood` does.
        private var places: [DaemonPlace] = []

        /// Starts a daemon, drops the story, and waits for its end.
        mutating func measure(_ load: StoryLoad, story: Int, _ settings: [String]) async throws {
            let place = try DaemonPlace()
            places.append(place)
            let daemon = try await DaemonProcess.ready(place, settings)
            // A story without pages: it makes the directories that a player watches.
            try place.drop(
                "first.json", Array(#"{"aps": {"alert": "First", "category": "PW_STORIES"}, "p": "first"}"#.utf8))
            try await daemon.finished(payloads: 1)
            let staged = try StagedPayloads(load, stories: story..<story + 1, in: place)
            let inotify = try Inotify()
            let (cache, id) = (place.cache(nil), load.id(story))
            _ = try inotify.watch(cache, for: .movedTo)

            let start = ContinuousClock.now
            try staged.drop()
            try wait(inotify) {
                try String(decoding: FileBytes.read("\(cache)/latest.json"), as: UTF8.self).contains(#""\#(id)""#)
            }
            firstPage.add((ContinuousClock.now - start).seconds * 1000)
            _ = try inotify.watch("\(cache)/stories/\(id)", for: .movedTo)
            try wait(inotify) { try place.manifest(id)?.settled == true }
            settled.add((ContinuousClock.now - start).seconds * 1000)

            guard try place.manifest(id)?.state == .ready else {
                throw BenchFailure("story \(id) is not ready\n\(daemon.log)")
            }
        }

        func write(to table: inout Table) {
            table.row("from the payload's rename to the first page on disk, ms", firstPage)
            table.row("from the payload's rename to the story settled, ms", settled)
        }

        /// Waits until `condition` holds, looking again with each event.
        private func wait(_ inotify: Inotify, until condition: () throws -> Bool) throws {
            while try !condition() {
                var polled = pollfd(fd: inotify.descriptor.raw, events: Int16(POLLIN), revents: 0)
                guard poll(&polled, 1, 30_000) == 1 else { throw BenchFailure("nothing came for 30 s") }
                _ = try inotify.read()
            }
        }
    }
}
