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
        #expect(queue.nextHost() == nil)
        #expect(queue.nextHost() == nil)
        #expect(queue.ask("a", ticket(3), at: now + .seconds(29)) == .known([address]))
        #expect(queue.ask("a", ticket(4), at: now + .seconds(30)) == .startWorker)
        #expect(queue.ask("b", ticket(5), at: now) == .startWorker)
    }

    /// A queue with names 0 up to `count`, each asked for by the ticket of its number, and as many begun as may be.
    private func crowded(_ count: Int) -> LookupQueue {
        var queue = LookupQueue(maximumWorkers: 32, maximumThreads: 64)
        for number in 0..<count {
            let step = queue.ask("host\(number)", ticket(UInt64(number)), at: now)
            #expect(step == (number < 32 ? .startWorker : .wait))
        }
        #expect((0..<32).allSatisfy { queue.nextHost() == "host\($0)" })
        return queue
    }

    @Test func `no more than may are looked up at once for who waits`() {
        var queue = crowded(40)
        _ = queue.finish("host3", .success([address]), at: now)
        #expect(queue.nextHost() == "host32")
    }

    @Test func `a look-up that hangs and that nobody waits for keeps no other name waiting`() {
        var queue = crowded(40)
        #expect(queue.withdraw(ticket(0), from: "host0") == true)
        #expect(queue.nextHost() == "host32")
        // A name that had not begun leaves no place.
        #expect(queue.withdraw(ticket(39), from: "host39") == false)
        // Its worker, back after all, is one too many.
        #expect(queue.finish("host0", .success([address]), at: now) == [])
        #expect(queue.nextHost() == nil)
    }

    @Test func `who asks again for a name that hangs joins its look-up`() {
        var queue = crowded(33)
        #expect(queue.withdraw(ticket(0), from: "host0") == true)
        #expect(queue.ask("host0", ticket(50), at: now) == .wait)
        #expect(queue.finish("host0", .success([address]), at: now) == [ticket(50)])
    }

    @Test func `there are no more threads than may be, whatever hangs`() {
        var queue = crowded(100)
        for number in 0..<32 {
            #expect(queue.withdraw(ticket(UInt64(number)), from: "host\(number)") == true)
            #expect(queue.nextHost() == "host\(32 + number)")
        }
        #expect(queue.withdraw(ticket(32), from: "host32") == false)
        _ = queue.finish("host0", .failure(LookupFailure(message: "no")), at: now)
        #expect(queue.nextHost() == "host64")
    }

    @Test func `without a thread those who wait are told though a look-up hangs that nobody waits for`() {
        var queue = LookupQueue()
        _ = queue.ask("a", ticket(1), at: now)
        #expect(queue.nextHost() == "a")
        #expect(queue.withdraw(ticket(1), from: "a") == false)
        #expect(queue.ask("b", ticket(2), at: now) == .startWorker)
        #expect(queue.workerFailed() == [ticket(2)])
    }

    @Test func `a name that nobody waits for any more is not looked up`() {
        var queue = LookupQueue()
        _ = queue.ask("a", ticket(1), at: now)
        _ = queue.ask("b", ticket(2), at: now)
        #expect(queue.withdraw(ticket(1), from: "a") == false)
        #expect(queue.nextHost() == "b")
        #expect(queue.withdraw(ticket(2), from: "b") == false)
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
