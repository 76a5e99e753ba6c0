import Addresses
import Testing

@testable import Transfers

/// Who waits for which name.
struct LookupQueueTests {
    private let now = SuspendingClock.now
    private let address = IPAddress.v4(0x0808_0808)

    private func ticket(_ number: UInt64) -> LookupQueue.Ticket { .init(number: number) }

    @Test func `equal names are looked up once, and all who asked are told`() {
        var queue = LookupQueue()
        #expect(queue.ask("a", ticket(1), at: now) == .startWorker)
        #expect(queue.ask("a", ticket(2), at: now) == .wait)
        #expect(queue.nextHost() == "a")
        #expect(queue.ask("a", ticket(3), at: now) == .wait)
        #expect(queue.finish("a", .success([address]), at: now) == [ticket(1), ticket(2), ticket(3)])
        #expect(queue.nextHost() == nil)
    }

    @Test func `an answer serves for half a minute, a failure for no time`() {
        var queue = LookupQueue()
        _ = queue.ask("a", ticket(1), at: now)
        _ = queue.ask("b", ticket(2), at: now)
        #expect(queue.nextHost() == "a")
        #expect(queue.nextHost() == "b")
        _ = queue.finish("a", .success([address]), at: now)
        _ = queue.finish("b", .failure(LookupFailure(message: "no")), at: now)
        #expect(queue.ask("a", ticket(3), at: now + .seconds(29)) == .known([address]))
        #expect(queue.ask("a", ticket(4), at: now + .seconds(30)) == .startWorker)
        #expect(queue.ask("b", ticket(5), at: now) == .startWorker)
    }

    @Test func `no more than eight are looked up at once, however many hang`() {
        var queue = LookupQueue()
        for number in 0..<20 {
            let step = queue.ask("host\(number)", ticket(UInt64(number)), at: now)
            #expect(step == (number < 8 ? .startWorker : .wait))
        }
        #expect((0..<8).allSatisfy { queue.nextHost() == "host\($0)" })
        _ = queue.finish("host3", .success([address]), at: now)
        #expect(queue.nextHost() == "host8")
    }

    @Test func `a name that nobody waits for any more is not looked up`() {
        var queue = LookupQueue()
        _ = queue.ask("a", ticket(1), at: now)
        _ = queue.ask("b", ticket(2), at: now)
        queue.withdraw(ticket(1), from: "a")
        #expect(queue.nextHost() == "b")
        queue.withdraw(ticket(2), from: "b")
        #expect(queue.finish("b", .success([address]), at: now) == [])
        #expect(queue.nextHost() == nil)
        #expect(queue.nextHost() == nil)
    }

    @Test func `without a thread those who wait are told, unless another works`() {
        var queue = LookupQueue()
        _ = queue.ask("a", ticket(1), at: now)
        #expect(queue.workerFailed() == [ticket(1)])
        _ = queue.ask("b", ticket(2), at: now)
        #expect(queue.nextHost() == "b")
        _ = queue.ask("c", ticket(3), at: now)
        #expect(queue.workerFailed() == [])
        _ = queue.finish("b", .success([address]), at: now)
        #expect(queue.nextHost() == "c")
    }

    @Test func `what is remembered is bounded`() {
        var queue = LookupQueue()
        for number in 0..<1000 {
            _ = queue.ask("host\(number)", ticket(UInt64(number)), at: now)
            if let host = queue.nextHost() { _ = queue.finish(host, .success([address]), at: now) }
        }
        let known = (0..<1000).filter {
            if case .known = queue.ask("host\($0)", ticket(0), at: now) { return true }
            return false
        }
        #expect(known.count <= LookupQueue.maximumKnown)
        #expect(known.last == 999)
    }
}
