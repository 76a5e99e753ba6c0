import Foundation
import Glibc
import Platform
import Stories
import TestSupport
import Testing

/// What the daemon writes to standard error, and what it does where that cannot be written to.
@Suite(.timeLimit(.minutes(1)))
struct LogTests {
    /// Says that standard error is the journal.
    private static let asJournal = #"JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$0" "$@""#

    private let place: DaemonPlace

    init() throws {
        place = try DaemonPlace()
    }

    @Test func `in the journal each line begins with its priority, and says what an operator looks for`() async throws {
        let daemon = try DaemonProcess(place, shell: Self.asJournal)
        try await daemon.waitUntilReady()
        try place.drop("a.json", Payloads.story("a", images: ["http://192.0.2.1/x?token=secret"]), group: "g.one")
        try place.drop("b.json", Array("[]".utf8))
        _ = try await daemon.settled("a", group: "g.one")
        try await daemon.wait("the payload is rejected") { daemon.log.contains("rejected") }
        #expect(try await daemon.terminate() == .exited(0))
        let lines = daemon.log.split(separator: "\n")
        #expect(lines.allSatisfy { $0.wholeMatch(of: /<[346]>[^<].*/) != nil }, "\(daemon.log)")
        #expect(lines.contains { $0.hasPrefix("<6>story g.one/a accepted") })
        #expect(lines.contains { $0.hasPrefix("<4>story g.one/a page 0 from http://192.0.2.1:80: address_denied") })
        #expect(lines.contains { $0.hasPrefix("<4>inbox: rejected b.json: ") })
        #expect(!daemon.log.contains("secret"))
    }

    @Test func `a bad configuration is an error in the journal, a line a problem`() async throws {
        let daemon = try DaemonProcess(place, shell: Self.asJournal, ["network.per_host=-1", "cache.max_stories=-1"])
        #expect(try await daemon.waitForEnd() == .exited(78))
        let lines = daemon.log.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("<3>") }, "\(daemon.log)")
    }

    @Test(arguments: ["closed", "full", "full, not to be waited for", "without a reader"])
    func `standard error that cannot be written to holds up nothing`(kind: String) async throws {
        var ends: [Int32] = [0, 0]
        try checked("pipe") { pipe(&ends) }
        let (reader, writer) = (Locked<Descriptor?>(Descriptor(owning: ends[0])), Descriptor(owning: ends[1]))
        for end in ends { try checked("fcntl") { fcntl(end, F_SETFD, FD_CLOEXEC) } }
        try checked("fcntl") { fcntl(writer.raw, F_SETFL, O_NONBLOCK) }
        if kind == "without a reader" {
            reader.withLock { $0 = nil }
        } else {
            let bytes = [UInt8](repeating: 0, count: 4096)
            while write(writer.raw, bytes, bytes.count) > 0 {}
        }
        if kind == "full" { try checked("fcntl") { fcntl(writer.raw, F_SETFL, 0) } }
        let redirection = kind == "closed" ? "2>&-" : "2>&3"
        let daemon = try DaemonProcess(
            place, shell: #"exec "$0" "$@" \#(redirection)"#, ["log_level=debug"], descriptors: [writer])
        try await daemon.waitUntilReady()
        try place.drop("a.json", Payloads.story("a", images: ["http://192.0.2.1/"]))
        #expect(try await daemon.settled("a").state == .failed)
        #expect(try await daemon.terminate() == .exited(0))
        #expect(daemon.log == "")
        try await expectSound(place)
    }
}
