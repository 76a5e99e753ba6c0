import ControlAPI
import Foundation
import Glibc
import Platform
import TestOrigins
import TestSupport
import Testing

/// What the daemon tells on `GET /v1/events`.
@Suite(.timeLimit(.minutes(10))) struct EventTests {
    @Test func `five hundred cold stories are told, every page and story exactly once, and in order`() async throws {
        let load = try await StoryLoad(stories: 500, pages: 4, origin: NginxOrigin())
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["story_deadline=600"])
        let reader = try await EventReader(place)
        try load.drop(into: place)
        try await daemon.wait("all stories are ready", within: patience(.seconds(120))) {
            try daemon.status().stories.ready == load.stories
        }
        #expect(try await daemon.terminate() == .exited(0))
        let events = try await reader.ended()
        #expect(!events.contains { $0.name == "lagged" })
        let byStory = Dictionary(grouping: events.filter { $0.name != "page.progress" }) { $0.id ?? "" }
        #expect(byStory.keys.sorted() == load.ids)
        for (id, events) in byStory {
            #expect(events.first?.name == "story.accepted" && events.last?.name == "story.settled", "\(id)")
            let pages = events.compactMap { event in
                if case .pageCached(let page) = event.news { page.index } else { nil }
            }
            #expect(pages.sorted() == Array(0..<load.pages), "\(id)")
            let revisions = events.compactMap { event in
                switch event.news {
                case .storyAccepted(let story), .storyUpdated(let story), .storySettled(let story): story.revision
                default: nil
                }
            }
            #expect(revisions == Array(1...max(1, revisions.count)), "\(id)")
            #expect(events.count == pages.count + revisions.count, "\(id): \(events.map(\.name))")
        }
    }

    @Test func `a page is told as it comes, as it fails, and when it is tried again`() async throws {
        let place = try DaemonPlace()
        let origin = try ScriptedOrigin()
        let gate = try Gate()
        let picture = SampleImages.jpeg(seed: 1) + [UInt8](repeating: 0x55, count: 100_000)
        let slow = ScriptedAnswer(
            .bytes(ScriptedAnswer.head("HTTP/1.1 200 OK", "Content-Length: \(picture.count)")),
            .bytes(Array(picture.prefix(60_000))), .wait(gate), .bytes(Array(picture.dropFirst(60_000))))
        origin.script("/slow.jpg", slow)
        origin.script("/gone.jpg", .status("404 Not Found"))
        origin.script("/busy.jpg", .status("503 Service Unavailable"))
        let daemon = try await DaemonProcess.ready(place, ["network.max_attempts=2", "network.retry_base=0.01"])
        let reader = try await EventReader(place)
        let pages = ["slow", "gone", "busy"].map { #"{"image": "\#(origin.url("/\($0).jpg"))"}"# }
        try place.drop(
            "a.json", Array(#"{"p": "a", "pw_stories": {"pages": [\#(pages.joined(separator: ","))]}}"#.utf8))
        _ = try await reader.wait(for: "progress") { event in
            if case .pageProgress(let page) = event.news { page.index == 0 && page.bytes > 0 } else { false }
        }
        gate.open()
        let events = try await reader.wait(for: "settlement") { $0.name == "story.settled" }
        let told = events.compactMap { event -> Event.Page? in
            switch event.news {
            case .pageProgress(let page), .pageCached(let page), .pageFailed(let page): page
            default: nil
            }
        }
        #expect(told.contains { $0.index == 0 && $0.state == "pending" && $0.total == picture.count && $0.code == nil })
        #expect(
            told.filter { $0.index == 0 }.last
                == Event.Page(index: 0, state: "cached", bytes: picture.count, total: picture.count))
        #expect(told.filter { $0.index == 1 } == [Event.Page(index: 1, state: "failed", code: "http_status")])
        let busy = told.filter { $0.index == 2 }
        #expect(busy.count(where: { $0.state == "failed" }) >= 1)
        #expect(busy.allSatisfy { $0.code == "http_status" && $0.retryAt != nil })
        #expect(events.allSatisfy { $0.id == "a" && $0.group == nil && Timestamp($0.at) != nil })
        _ = daemon
    }

    @Test func `what is deleted, rejected or makes room is told`() async throws {
        let load = try await StoryLoad(stories: 2, pages: 1, origin: NginxOrigin(), sizes: 50_000...60_000)
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, ["cache.max_bytes=65536", "cache.min_free_bytes=0"])
        let reader = try await EventReader(place)
        try place.drop("bad.json", Array("no".utf8))
        try load.drop(into: place)
        let made = try await reader.wait(for: "eviction") { $0.name == "story.deleted" }
        let first = try #require(made.first { $0.name == "cache.evicted" })
        guard case .cacheEvicted(objects: 1, bytes: let bytes) = first.news else {
            Issue.record("\(first)")
            return
        }
        #expect(load.sizes.contains(bytes) && load.ids.contains(first.id ?? ""))
        #expect(made.contains { $0.id == first.id && $0.news == .storyDeleted(evicted: true) })
        let left = try #require(load.ids.first { $0 != first.id })
        _ = try await daemon.settled(left)
        try await Tool.run(
            "/usr/bin/curl",
            [
                "--silent", "--unix-socket", place.socket, "--request", "DELETE",
                "http://localhost/v1/stories/\(left)",
            ])
        let events = try await reader.wait(for: "deletion") { $0.id == left && $0.name == "story.deleted" }
        #expect(events.contains { $0.id == left && $0.news == .storyDeleted(evicted: false) })
        let rejection = try await reader.wait(for: "rejection") { $0.name == "payload.rejected" }
        #expect(
            rejection.contains { event in
                if case .payloadRejected(file: "bad.json", code: "not_json", _) = event.news { true } else { false }
            })
    }

    @Test(.enabled(if: getuid() == 0, "only root can speak as another user"))
    func `of events one hears those of groups that one belongs to`() async throws {
        let place = try DaemonPlace()
        #expect(chmod(place.path(""), 0o755) == 0)
        try place.provision("shown")
        #expect(chown(try place.provision("hidden"), 0, 12_345) == 0)
        let daemon = try await DaemonProcess.ready(place)
        let (all, some) = (try await EventReader(place), try await EventReader(place, user: 65_534))
        try place.drop("bad.json", Array("no".utf8))
        for group in ["hidden", "shown"] {
            try place.drop("a.json", Array(#"{"p": "\#(group)", "aps": {"alert": "Hello"}}"#.utf8), group: group)
            _ = try await daemon.settled(group, group: group)
        }
        _ = try await all.wait(for: "rejection") { $0.name == "payload.rejected" }
        #expect(try await daemon.terminate() == .exited(0))
        let heard = try await some.ended()
        #expect(heard.map(\.name) == ["story.accepted", "story.settled"] && heard.allSatisfy { $0.group == "shown" })
        #expect(try await all.ended().count == 5)
    }

    @Test(.enabled(if: getuid() == 0, "only root can speak as another user"))
    func `of a container that is gone those still hear who could see it`() async throws {
        let place = try DaemonPlace()
        #expect(chmod(place.path(""), 0o755) == 0)
        for group in ["shown", "hidden"] { try place.provision(group) }
        #expect(chown("\(place.groups)/hidden", 0, 12_345) == 0)
        let daemon = try await DaemonProcess.ready(place)
        for group in ["shown", "hidden"] {
            try place.drop("a.json", Array(#"{"p": "\#(group)", "aps": {"alert": "Hello"}}"#.utf8), group: group)
            _ = try await daemon.settled(group, group: group)
        }
        let reader = try await EventReader(place, user: 65_534)
        for group in ["hidden", "shown"] {
            #expect(rename("\(place.groups)/\(group)", place.path(group)) == 0)
            #expect(try daemon.answer(.delete(id: group, group: group)).status == 200)
        }
        let events = try await reader.wait(for: "deletion") { $0.name == "story.deleted" }
        #expect(events.map(\.group) == ["shown"])
    }

    @Test func `of many readers of one user the last are refused, until others have gone`() async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        var readers: [EventReader] = []
        for _ in 0..<16 { readers.append(try await EventReader(place)) }
        #expect(try daemon.answer(.events).status == 429)
        readers.removeLast()
        let isFree = await eventually { (try? await EventReader(place)) != nil }
        #expect(isFree)
    }
}
