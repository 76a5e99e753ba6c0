import ControlAPI
import Foundation
import Platform
import TestOrigins
import TestSupport
import Testing

/// What a service manager is told.
@Suite(.timeLimit(.minutes(2)))
struct ServiceTests {
    private let place: DaemonPlace
    private let manager: NotifySocket

    init() throws {
        place = try DaemonPlace()
        manager = try NotifySocket()
    }

    private func start(_ settings: [String] = [], _ environment: [String: String] = [:]) throws -> DaemonProcess {
        try DaemonProcess(place, settings, environment: manager.environment.merging(environment) { $1 })
    }

    private func wait(_ daemon: DaemonProcess, for assignment: String, times: Int = 1) async throws {
        try await daemon.wait("the manager is told \(assignment) \(times) times; it was: \(manager.told)") {
            manager.told.count { $0 == assignment } >= times
        }
    }

    @Test func `READY comes once the socket answers and the inbox has been looked through`() async throws {
        for name in ["a", "b", "c"] { try place.drop("\(name).json", Payloads.story(name, images: [])) }
        let daemon = try start()
        try await wait(daemon, for: "READY=1")
        #expect(try daemon.answer(.health).status == 200)
        let inbox = try daemon.status().inbox
        #expect(inbox.pending + inbox.accepted == 3)
        #expect(manager.told.count { $0 == "READY=1" } == 1)
        #expect(!manager.told.contains("WATCHDOG=1"), "nobody has asked for signs of life")
    }

    @Test func `what cannot start never says READY`() async throws {
        try FileBytes.put([], at: place.path("file"))
        let daemon = try start(["inbox=\(place.path("file"))/below"])
        #expect(try await daemon.waitForEnd() == .exited(1))
        #expect(!manager.told.contains("READY=1"))
    }

    @Test func `signs of life come at half the interval`() async throws {
        let start = ContinuousClock.now
        let daemon = try self.start([], ["WATCHDOG_USEC": "400000"])
        try await wait(daemon, for: "WATCHDOG=1", times: 6)
        // Five halves lie between six signs; that they come no later is for a machine with nothing else to do.
        #expect(start.duration(to: .now) > .milliseconds(900))
        #expect(!daemon.log.contains("has not answered"))
        #expect(try await daemon.terminate() == .exited(0))
    }

    @Test(.enabled(if: FrozenThread.isPossible), arguments: ["storage", "transfers", "inbox"])
    func `a loop that is stuck is named, and no sign of life is given until it goes on`(loop: String) async throws {
        let daemon = try start([], ["WATCHDOG_USEC": "400000"])
        try await wait(daemon, for: "WATCHDOG=1")
        do {
            let frozen = try await FrozenThread(loop, of: daemon.processID)
            try await daemon.wait("the log names it") { daemon.log.contains("\(loop) has not answered") }
            let signs = manager.told.count { $0 == "WATCHDOG=1" }
            let came = await eventually(within: .seconds(1)) { manager.told.count { $0 == "WATCHDOG=1" } > signs }
            #expect(!came)
            withExtendedLifetime(frozen) {}
        }
        let signs = manager.told.count { $0 == "WATCHDOG=1" }
        try await wait(daemon, for: "WATCHDOG=1", times: signs + 2)
        #expect(daemon.log.components(separatedBy: "has not answered").count == 2, "once, and of no other")
        #expect(try await daemon.terminate() == .exited(0))
    }

    @Test func `a watchdog that waits for another process hears nothing`() async throws {
        let daemon = try start([], ["WATCHDOG_USEC": "2000", "WATCHDOG_PID": "1"])
        try await wait(daemon, for: "READY=1")
        #expect(try await daemon.terminate() == .exited(0))
        #expect(!manager.told.contains("WATCHDOG=1"))
    }

    @Test func `SIGTERM is followed by STOPPING, which is the last word`() async throws {
        let daemon = try start()
        try await wait(daemon, for: "READY=1")
        #expect(try await daemon.terminate() == .exited(0))
        #expect(manager.told.suffix(2) == ["STOPPING=1", "STATUS=stopping"])
    }

    @Test func `a manager that reads nothing holds up no end`() async throws {
        // More signs of life than a socket keeps.
        let daemon = try start([], ["WATCHDOG_USEC": "4000"])
        try await daemon.waitUntilReady()
        try place.drop("a.json", Payloads.story("a", images: []))
        _ = try await daemon.settled("a")
        #expect(try await daemon.terminate() == .exited(0))
    }

    @Test(arguments: [true, false])
    func `a reload is told, and its end, whether the file can be used or not`(isUsable: Bool) async throws {
        let file = place.path("storiesd.json5")
        let text = place.settings.map { "\($0): '\($1)'," }.joined()
        try FileBytes.put(Array("{\(text)}".utf8), at: file)
        let daemon = try DaemonProcess(place, configurationFile: file, environment: manager.environment)
        try await wait(daemon, for: "READY=1")
        if !isUsable { try FileBytes.put(Array("{inbox: }".utf8), at: file) }
        daemon.reload()
        try await wait(daemon, for: "READY=1", times: 2)
        let told = manager.told.filter { !$0.hasPrefix("STATUS=") }
        #expect(told.first == "READY=1" && told.last == "READY=1")
        #expect(told.dropFirst().dropLast().map { $0.split(separator: "=")[0] } == ["RELOADING", "MONOTONIC_USEC"])
        #expect(daemon.log.contains("the old one stays") == !isUsable)
    }

    @Test func `the status tells of stories, and of what is degraded`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/a", .ok(SampleImages.png()))
        origin.script("/b", ScriptedAnswer(.stall))
        let daemon = try start(["log_level=debug"])
        try await wait(daemon, for: "STATUS=0 stories, 0 transfers, 0 kB cached")
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/a"), origin.url("/b")]))
        try await daemon.wait("a story and a transfer are told; it was: \(manager.told)") {
            manager.told.contains {
                $0.hasPrefix("STATUS=1 story (1 prefetching), 1 transfer, ") && !$0.contains(", 0 kB cached")
            }
        }
        try FileManager.default.removeItem(atPath: place.inbox)
        try await daemon.wait("the lost inbox is told; it was: \(manager.told)") {
            manager.told.contains { $0.contains("; degraded: inbox_missing: \(place.inbox)") }
        }
    }

    @Test func `without a manager nothing is told, and no thread stands by for it`() async throws {
        let daemon = try await DaemonProcess.ready(place, environment: ["WATCHDOG_USEC": "2000"])
        let threads = try place.names("/proc/\(daemon.processID)/task").compactMap { thread in
            // It may have ended meanwhile.
            try? String(contentsOfFile: "/proc/\(daemon.processID)/task/\(thread)/comm", encoding: .utf8)
        }
        #expect(threads.contains("storage\n") && !threads.contains("supervision\n"))
        #expect(try await daemon.terminate() == .exited(0))
        #expect(manager.told == [])
    }
}
