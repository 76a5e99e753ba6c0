import ControlAPI
import Foundation
import Glibc
import Platform
import Stories
import TestSupport
import Testing

/// Payloads that mean harm, or were badly made: each is taken or moved aside, and the daemon goes on.
struct HostilePayloadTests {
    @Test func `deep, broken and odd JSON`() async throws {
        let origin = try await NginxOrigin()
        try origin.serve(SampleImages.png(), at: "/a.png")
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let page = "{\"image\": \"\(origin.url("/a.png"))\""
        func story(_ id: String, _ more: String = "", page rest: String = "") -> [UInt8] {
            Array("{\"p\": \"\(id)\", \"pw_stories\": {\"pages\": [\(page)\(rest)}]}\(more)}".utf8)
        }
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let taken = [
            "deep-500": story("deep-500", ", \"x\": \(nested(498))"),
            "bom": [0xef, 0xbb, 0xbf] + story("bom"),
            "nan": story("nan", page: ", \"duration\": NaN"),
            "huge": story("huge", page: ", \"duration\": 1e400"),
            "surrogate": story("surrogate", page: ", \"title\": \"\\ud800\""),
            "twice": story("never", ", \"p\": \"twice\""),
        ]
        let rejected = [
            ("deep-100000", "not_json", story("deep-100000", ", \"x\": \(nested(100_000))")),
            ("utf8", "not_json", Array("{\"p\": \"utf8\", \"x\": \"".utf8) + [0xff, 0xfe] + Array("\"}".utf8)),
            ("array", "not_an_object", Array("[1, 2]".utf8)),
            ("comments", "not_json", Array("{\"p\": 1 /* one */}".utf8)),
        ]
        for (name, payload) in taken { try place.drop("\(name).json", payload) }
        for (name, _, payload) in rejected { try place.drop("\(name).json", payload) }
        try await daemon.finished(payloads: taken.count + rejected.count)

        #expect(try place.stories() == taken.keys.sorted())
        for id in taken.keys {
            let manifest = try #require(try place.manifest(id))
            #expect(manifest.state == .ready, "\(id): \(manifest.pages.map(\.state))\n\(daemon.log)")
            #expect(manifest.pages.map(\.page.duration) == [5], "\(id)")
        }
        #expect(try place.manifest("surrogate")?.pages.map(\.page.title) == [nil])
        for (name, code, payload) in rejected {
            #expect(try reason(place, "\(name).json").code == code, "\(name)")
            #expect(try FileBytes.read("\(place.inbox)/.rejected/\(name).json") == payload, "\(name)")
        }
        #expect(try daemon.status().state == .running)
    }

    @Test func `200 MB are refused by their size alone, and their reason stays`() async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        let before = try daemon.peakMemory()
        let temporary = "\(place.inbox)/.large"
        #expect(FileManager.default.createFile(atPath: temporary, contents: Data("{}".utf8)))
        #expect(truncate(temporary, 200 << 20) == 0)
        #expect(rename(temporary, "\(place.inbox)/large.json") == 0)
        try place.drop("small.json", Payloads.story("small", images: []))
        try await daemon.finished(payloads: 2)

        #expect(try reason(place, "large.json").code == "too_large")
        #expect(access("\(place.inbox)/.rejected/large.json", F_OK) != 0)
        #expect(try place.stories() == ["small"])
        #expect(try daemon.peakMemory() - before < 16 << 20)
    }

    @Test func `what is no payload file is left alone and holds up nothing`() async throws {
        let place = try DaemonPlace()
        #expect(mkfifo("\(place.inbox)/fifo.json", 0o600) == 0)
        #expect(mkdir("\(place.inbox)/folder.json", 0o700) == 0)
        #expect(symlink("/etc/hostname", "\(place.inbox)/link.json") == 0)
        for name in ["notes.txt", "half.json.part", "half.json.tmp", "old.json~", ".hidden.json"] {
            try FileBytes.put(Array("{}".utf8), at: "\(place.inbox)/\(name)")
        }
        let before = try place.names(place.inbox)
        let daemon = try await DaemonProcess.ready(place)
        try place.drop("good.json", Payloads.story("good", images: []))
        try await daemon.finished(payloads: 1)
        let ownFolders = [".claimed", ".rejected", ".temporary"]
        let after = try place.names(place.inbox).filter { !ownFolders.contains($0) }
        #expect(after == before)
        #expect(try place.stories() == ["good"])
    }

    @Test func `no file stays open after the stories that it was for`() async throws {
        let origin = try await NginxOrigin()
        for number in 0..<20 { try origin.serve(SampleImages.png(seed: number, bytes: 500_000), at: "/\(number)") }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        // Sockets may be kept for the next request.
        let openFiles: @Sendable () throws -> Int = { try daemon.openDescriptors().count { $0.hasPrefix("/") } }
        try place.drop("first.json", Payloads.story("first", images: [origin.url("/0")]))
        try await daemon.finished(payloads: 1)
        let before = try openFiles()
        for number in 0..<20 {
            try place.drop("\(number).json", Payloads.story("s\(number)", images: [origin.url("/\(number)")]))
        }
        try await daemon.finished(payloads: 21)
        #expect(try daemon.status().stories.ready == 21)
        try await daemon.wait("no more files are open than before") { try openFiles() <= before }
    }
}
