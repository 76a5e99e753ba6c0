import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(1)))
struct ThreadTests {
    /// An actor on a thread of its own, which notes where and in what order it ran.
    private actor Pinned {
        private let executor: ThreadExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private(set) var threads: Set<pthread_t> = []
        private(set) var notes: [Int] = []

        init(_ executor: ThreadExecutor) { self.executor = executor }

        func note(_ number: Int) {
            threads.insert(pthread_self())
            notes.append(number)
        }

        nonisolated func noteFromInside(_ number: Int) {
            assumeIsolated { $0.note(number) }
        }

        func nested() { noteFromInside(-1) }
    }

    @Test("an actor on a thread runs there alone, in the order it was asked")
    func executor() async throws {
        let actor = Pinned(try ThreadExecutor(name: "test"))
        for number in 0..<1000 { await actor.note(number) }
        #expect(await actor.notes == Array(0..<1000))
        #expect(await actor.threads.count == 1)
        #expect(await !actor.threads.contains(pthread_self()))
        await actor.nested()
        #expect(await actor.notes.last == -1)
    }

    @Test("what has a high priority goes before what waits already")
    func priority() async throws {
        let executor = try ThreadExecutor(name: "test")
        let (gate, entered) = (try EventDescriptor(), try EventDescriptor())
        let held = Gate(executor)
        let actor = Pinned(executor)
        async let holding: Void = held.enter(entered, thenWaitFor: gate)
        entered.wait()
        let low = Task(priority: .low) { await actor.note(2) }
        #expect(await eventually { executor.waiting == 1 })
        let high = Task(priority: .medium) { await actor.note(1) }
        #expect(await eventually { executor.waiting == 2 })
        gate.signal()
        await holding
        await high.value
        await low.value
        #expect(await actor.notes == [1, 2])
    }

    @Test("many tasks on one thread lose nothing")
    func crowd() async throws {
        let actor = Pinned(try ThreadExecutor(name: "test"))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2000 { group.addTask { await actor.note(number) } }
        }
        #expect(await Set(actor.notes) == Set(0..<2000))
        #expect(await actor.threads.count == 1)
    }

    @Test("one thread that blocks does not hold up another's actor")
    func blocked() async throws {
        let gate = try EventDescriptor()
        let held = Gate(try ThreadExecutor(name: "held"))
        let free = Pinned(try ThreadExecutor(name: "free"))
        async let waiting: Void = held.wait(for: gate)
        await free.note(1)
        gate.signal()
        await waiting
        #expect(await free.notes == [1])
    }

    private actor Gate {
        private let executor: ThreadExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        init(_ executor: ThreadExecutor) { self.executor = executor }
        func wait(for event: EventDescriptor) { event.wait() }
        func enter(_ entered: EventDescriptor, thenWaitFor event: EventDescriptor) {
            entered.signal()
            event.wait()
        }
    }

    @Test("a thread runs its body to the end, and join waits for it")
    func join() throws {
        let result = Locked(0)
        let thread = try Thread(name: "a name far too long for the kernel") {
            for _ in 0..<1000 { result.withLock { $0 += 1 } }
        }
        thread.join()
        #expect(result.withLock { $0 } == 1000)
    }

    @Test("what is run on a thread of its own answers from there")
    func run() async throws {
        let (gate, begun) = (try EventDescriptor(), Locked(false))
        async let waiting: UInt = Thread.run(name: "answer") {
            begun.withLock { $0 = true }
            gate.wait()
            return pthread_self()
        }
        while begun.withLock({ !$0 }) { await Task.yield() }
        gate.signal()
        #expect(try await waiting != pthread_self())
    }

    @Test("a locked value is changed by one thread at a time")
    func locked() throws {
        let value = Locked(0)
        let threads = try (0..<4).map { _ in
            try Thread(name: "count") { for _ in 0..<25_000 { value.withLock { $0 += 1 } } }
        }
        for thread in threads { thread.join() }
        #expect(value.withLock { $0 } == 100_000)
    }

    @Test("an error inside a lock comes out, and the lock is free again")
    func lockedThrows() {
        let value = Locked(1)
        #expect(throws: SystemError("read", code: 5)) {
            try value.withLock { (value) throws(SystemError) in
                value = 2
                throw SystemError("read", code: 5)
            }
        }
        #expect(value.withLock { $0 } == 2)
    }

    @Test("an event is up until it is cleared, however often it was raised")
    func event() throws {
        let event = try EventDescriptor()
        #expect(!event.clear())
        event.signal()
        event.signal()
        var entry = pollfd(fd: event.descriptor.raw, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 0) == 1)
        #expect(event.clear())
        #expect(poll(&entry, 1, 0) == 0)
        #expect(!event.clear())
    }

    @Test("waiting for an event ends when another thread raises it")
    func eventAcrossThreads() throws {
        let (there, back) = (try EventDescriptor(), try EventDescriptor())
        let thread = try Thread(name: "echo") {
            for _ in 0..<100 {
                there.wait()
                back.signal()
            }
        }
        for _ in 0..<100 {
            there.signal()
            back.wait()
        }
        thread.join()
    }
}
