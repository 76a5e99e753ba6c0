import Platform
import ControlAPI
import JSON
import Stories
import Glibc
import TestSupport
import Testing

/// Whose story it is, and where it goes.
struct GroupTests {
    @Test func `a provisioned group, one that is not, none, and a bad name`() async throws {
        let origin = try await NginxOrigin()
        try origin.serve(SampleImages.png(), at: "/a")
        let place = try DaemonPlace()
        try place.provision("group.com.example.app")
        let daemon = try await DaemonProcess.ready(place)
        let payload = Payloads.story("a", images: [origin.url("/a")])
        // The folders are made while the daemon runs.
        for group in ["group.com.example.app", "elsewhere", nil, "bad name", "-bad", "évil"] {
            try place.drop("a.json", payload, group: group)
        }
        try await daemon.finished(payloads: 6)
        try place.drop("b.json", Payloads.story("b", images: [origin.url("/a")]), group: "elsewhere")
        try await daemon.finished(payloads: 7)

        let own = try await daemon.settled("a", group: "group.com.example.app")
        #expect(own.group?.description == "group.com.example.app" && !own.groupFallback)
        #expect(place.cache("group.com.example.app") == "\(place.groups)/group.com.example.app/pw_stories_cache")
        let elsewhere = try await daemon.settled("a", group: "elsewhere")
        #expect(elsewhere.group?.description == "elsewhere" && elsewhere.groupFallback)
        #expect(place.cache("elsewhere") == "\(place.fallbackDirectory)/elsewhere/pw_stories_cache")
        let none = try await daemon.settled("a")
        #expect(none.group == nil && !none.groupFallback)
        #expect(place.cache(nil) == "\(place.fallbackDirectory)/_/pw_stories_cache")
        for folder in ["bad name", "-bad", "évil"] {
            #expect(try FileBytes.read("\(place.inbox)/.rejected/\(folder)/a.json") == payload)
            #expect(try reason(place, "\(folder)/a.json").code == "bad_group")
        }

        let groups = try daemon.status().groups
        #expect(groups.first { $0.id == "group.com.example.app" }?.fallback == false)
        #expect(groups.first { $0.id == "elsewhere" }?.fallback == true)
        #expect(groups.first { $0.id == "elsewhere" }?.stories == 2)
        #expect(groups.contains { $0.id == nil })
        #expect(groups.count == 3)
        let lines = daemon.log.split(separator: "\n").filter { $0.contains("not provisioned") }
        #expect(lines.count == 1 && lines.allSatisfy { $0.contains("elsewhere") })
        #expect(try place.names(place.fallbackDirectory) == ["_", "elsewhere"])
    }

    @Test func `the inbox itself belongs to the group that the configuration names`() async throws {
        let place = try DaemonPlace()
        try place.provision("shop")
        let daemon = try await DaemonProcess.ready(place, ["app_group=shop"])
        try place.drop("a.json", Payloads.story("a", images: []))
        let manifest = try await daemon.settled("a", group: "shop")
        #expect(manifest.group?.description == "shop" && !manifest.groupFallback)
        #expect(try place.stories() == [])
    }

    @Test func `a group whose name something else has is not provisioned, and that is named`() async throws {
        let place = try DaemonPlace()
        try place.provision("shop")
        let daemon = try await DaemonProcess.ready(place)
        try FileBytes.put([], at: "\(place.groups)/file")
        #expect(symlink("\(place.groups)/shop", "\(place.groups)/link") == 0)
        #expect(mkfifo("\(place.groups)/pipe", 0o600) == 0)
        for (name, kind) in [("file", "a file"), ("link", "a symbolic link"), ("pipe", "a pipe")] {
            let answer = try daemon.answer(.provision(name))
            #expect(answer.status == 409)
            let error = try APIError(status: answer.status, json: #require(JSONParser.parse(answer.body).objectValue))
            #expect(error.message.contains("\(place.groups)/\(name) is ") && error.message.contains(kind))
        }
        #expect(try daemon.answer(.provision("shop")).status == 200)
        #expect(try daemon.answer(.provision("new")).status == 201)
    }

    @Test func `a symbolic link provisions nothing`() async throws {
        let place = try DaemonPlace()
        try place.provision("shop")
        #expect(symlink("\(place.groups)/shop", "\(place.groups)/link") == 0)
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("a.json", Payloads.story("a", images: []), group: "link")
        try await daemon.finished(payloads: 1)
        #expect(try place.names("\(place.groups)/shop") == [])
        #expect(try place.names("\(place.fallbackDirectory)/link/pw_stories_cache/stories") == ["a"])
    }
}
