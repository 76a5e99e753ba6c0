import ControlAPI
import Foundation
import Platform
import Stories
import TestSupport
import Testing

/// Many stories at once: all end well, within the memory and the descriptors that a small machine has.
@Suite(.timeLimit(.minutes(15))) struct LoadTests {
    @Test func `five hundred stories of four pages are all ready, in little memory, and the socket answers meanwhile`()
        async throws
    {
        let load = try await StoryLoad(stories: 500, pages: 4, origin: NginxOrigin())
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        _ = try daemon.status()
        let idle = try daemon.openDescriptors().count
        try load.drop(into: place)
        // Each look is a question to the socket, which throws where it gets no answer.
        try await daemon.wait("all stories are ready", within: patience(.seconds(120))) {
            try daemon.status().stories.ready == load.stories
        }
        #expect(try place.stories() == load.ids)
        if !isSanitized { #expect(try daemon.peakMemory() < 48 << 20) }
        try await daemon.wait("the descriptors of the load are closed") {
            try daemon.openDescriptors().count <= idle
        }
        #expect(try daemon.status().cache.bytes == load.sizes.reduce(0, +))
        try await expectSound(place)
    }

    @Test func `killed at twenty moments of such a load, all five hundred are ready in the end, none twice`()
        async throws
    {
        let load = try await StoryLoad(stories: 500, pages: 4, origin: NginxOrigin(), sizes: 8_000...60_000)
        let place = try DaemonPlace()
        try load.drop(into: place)
        for kill in 1...20 {
            let daemon = try DaemonProcess(place)
            // So many files more than at the start: moments all over the load, whatever the machine's pace.
            let wanted = kill * load.stories * load.pages / 24
            try await daemon.wait("there are \(wanted) pictures", within: patience(.seconds(60))) {
                try place.tree("\(place.cache(nil))/objects").count { $0.hasSuffix(".jpg") } >= wanted
            }
            try await daemon.kill()
        }
        let daemon = try await DaemonProcess.ready(place)
        try await daemon.wait("all stories are ready", within: patience(.seconds(120))) {
            try daemon.status().stories.ready == load.stories
        }
        #expect(try place.stories() == load.ids)
        #expect(try daemon.status().cache.bytes == load.sizes.reduce(0, +))
        try await expectSound(place)
    }

    @Test func `twenty thousand payloads dropped while the daemon is stopped are each accepted once`() async throws {
        let place = try DaemonPlace()
        let count = 20_000
        let daemon = try await DaemonProcess.ready(place, ["cache.max_stories=\(count)"])
        let before = try daemon.peakMemory()
        daemon.pause()
        for number in 0..<count {
            try place.drop("\(number).json", Array(#"{"aps": {"alert": "Hello"}, "p": "flood-\#(number)"}"#.utf8))
        }
        daemon.proceed()
        try await daemon.wait("all payloads are accepted", within: patience(.seconds(240))) {
            try daemon.status().inbox.accepted >= count
        }
        let status = try daemon.status()
        #expect(status.inbox.accepted == count && status.inbox.pending == 0 && status.inbox.rejected == 0)
        #expect(status.inbox.rescans > 0, "the kernel's queue of 16,384 events has overflowed")
        #expect(status.stories.fallback == count)
        #expect(try place.stories().count == count)
        #expect(try place.inboxFiles() == [])
        if !isSanitized { #expect(try daemon.peakMemory() - before < 32 << 20) }
    }
}
