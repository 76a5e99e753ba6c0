import Platform
import Testing

@testable import Inbox

struct IntakeTests {
    private let start = Moment(wall: Timestamp(milliseconds: 1_000_000), steady: SuspendingClock().now)

    private func file(_ name: String) -> PayloadFile { PayloadFile(folder: nil, name: FileName(name)) }

    private func look(_ size: Int64 = 10, age: Duration = .zero, links: UInt64 = 1, at now: Moment) -> Intake.Look {
        Intake.Look(size: size, links: links, modified: now.wall.advanced(bySeconds: -(age / .seconds(1))))
    }

    /// An intake whose first sweep has found `names`.
    private func intake(_ names: [String] = [], limit: Int = 100) -> Intake {
        var intake = Intake(limit: limit, payloadBytes: 1000)
        sweep(&intake, names)
        return intake
    }

    private func sweep(_ intake: inout Intake, _ names: [String]) {
        var pass = intake.beginPass()
        for (number, name) in names.enumerated() {
            pass.add(Candidate(modified: Timestamp(milliseconds: Int64(number)), file: file(name)))
        }
        intake.end(pass)
    }

    /// All that is to be looked at now.
    private func drain(_ intake: inout Intake, at now: Moment) -> [String] {
        var names: [String] = []
        while let file = intake.next(at: now) {
            names.append(file.name.text)
            intake.forget(file)
        }
        return names
    }

    @Test("a file that was closed is taken, whole or not")
    func closed() {
        var intake = intake()
        intake.notice(file("a.json"), .closed)
        #expect(intake.next(at: start) == file("a.json"))
        #expect(intake.judge(file("a.json"), look(at: start), at: start) { false } == .take)
    }

    @Test("a file found by a scan is taken when it is whole, or else when its content is 5 s old")
    func found() {
        var intake = intake(["a.json", "b.json"])
        let first = intake.next(at: start)
        #expect(first == file("a.json"))
        #expect(intake.judge(file("a.json"), look(at: start), at: start) { true } == .take)
        intake.forget(file("a.json"))

        let broken = look(age: .seconds(2), at: start)
        #expect(intake.next(at: start) == file("b.json"))
        #expect(intake.judge(file("b.json"), broken, at: start) { false } == .wait)
        #expect(intake.nextDue == start.steady.advanced(by: .seconds(3)))
        #expect(intake.next(at: start.advanced(by: .seconds(2.9))) == nil)
        let later = start.advanced(by: .seconds(3))
        #expect(intake.next(at: later) == file("b.json"))
        #expect(intake.judge(file("b.json"), broken, at: later) { false } == .take)
    }

    @Test("content that goes on changing is left alone")
    func changing() {
        var intake = intake(["a.json"])
        var now = start
        for _ in 0..<10 {
            #expect(intake.next(at: now) == file("a.json"))
            #expect(intake.judge(file("a.json"), look(age: .seconds(1), at: now), at: now) { false } == .wait)
            now = now.advanced(by: .seconds(4))
        }
    }

    @Test("a file whose time is in the future waits 5 s, not until then")
    func future() {
        var intake = intake(["a.json"])
        let look = look(age: .seconds(-1_000_000), at: start)
        #expect(intake.next(at: start) != nil)
        #expect(intake.judge(file("a.json"), look, at: start) { false } == .wait)
        let later = start.advanced(by: .seconds(5))
        #expect(intake.next(at: later) != nil)
        #expect(intake.judge(file("a.json"), look, at: later) { false } == .take)
    }

    @Test("an empty file waits 5 s even when closed, and is taken at once when it is filled")
    func empty() {
        var intake = intake()
        intake.notice(file("a.json"), .closed)
        #expect(intake.next(at: start) != nil)
        #expect(intake.judge(file("a.json"), look(0, at: start), at: start) { false } == .wait)
        intake.notice(file("a.json"), .closed)
        #expect(intake.next(at: start) != nil)
        #expect(intake.judge(file("a.json"), look(5, at: start), at: start) { false } == .take)
    }

    @Test("a file that was just made waits for its writer; one that was linked does not have one")
    func created() {
        var intake = intake()
        intake.notice(file("a.json"), .created)
        #expect(intake.next(at: start) != nil)
        let opened = look(at: start)
        #expect(intake.judge(file("a.json"), opened, at: start) { false } == .wait)
        #expect(intake.next(at: start.advanced(by: .seconds(30))) == nil)
        sweep(&intake, ["a.json"])
        let later = start.advanced(by: .seconds(30))
        #expect(intake.next(at: later) != nil, "a scan looks again")
        #expect(intake.judge(file("a.json"), opened, at: later) { false } == .wait, "and knows of the writer still")
        let last = start.advanced(by: .seconds(60))
        #expect(intake.next(at: last) != nil)
        #expect(intake.judge(file("a.json"), opened, at: last) { false } == .take, "which may hang")

        intake.notice(file("b.json"), .created)
        #expect(intake.next(at: start) != nil)
        let linked = look(age: .seconds(6), links: 2, at: start)
        #expect(intake.judge(file("b.json"), linked, at: start) { false } == .take)
    }

    @Test("a file that is too large is taken without being read")
    func tooLarge() {
        var intake = intake(["a.json"])
        _ = intake.next(at: start)
        let verdict = intake.judge(file("a.json"), look(1001, at: start), at: start) {
            Issue.record("read")
            return false
        }
        #expect(verdict == .take)
    }

    @Test("several events about a file are one look")
    func once() {
        var intake = intake(["a.json"])
        intake.notice(file("a.json"), .created)
        intake.notice(file("a.json"), .closed)
        #expect(intake.pending == 1)
        #expect(drain(&intake, at: start) == ["a.json"])
        #expect(intake.pending == 0)
    }

    @Test("a file that went away is not looked at")
    func gone() {
        var intake = intake(["a.json", "b.json"])
        intake.forget(file("a.json"))
        #expect(drain(&intake, at: start) == ["b.json"])
    }

    @Test("names that come and go do not fill the queue")
    func comeAndGo() {
        var intake = intake(["first.json"], limit: 10)
        for _ in 0..<1000 {
            intake.notice(file("a.json"), .created)
            intake.forget(file("a.json"))
        }
        intake.notice(file("a.json"), .closed)
        #expect(intake.queue.count <= 40)
        #expect(drain(&intake, at: start) == ["first.json", "a.json"])
    }

    @Test("lost events lead to a sweep once the queue is empty")
    func lost() {
        var intake = intake(["a.json"])
        #expect(!intake.needsPass)
        intake.wantSweep()
        #expect(!intake.needsPass)
        _ = drain(&intake, at: start)
        #expect(intake.needsPass)
        sweep(&intake, ["b.json"])
        #expect(drain(&intake, at: start) == ["b.json"])
        #expect(!intake.needsPass)
        #expect(intake.sweeps == 2)
    }

    @Test("a flood is taken pass by pass, the oldest first, with few files known at a time")
    func flood() {
        var waiting = (0..<1000).map { "\($0).json" }
        var intake = intake(waiting, limit: 64)
        var taken: [String] = []
        while true {
            #expect(intake.pending == waiting.count)
            let names = drain(&intake, at: start)
            #expect(names.count <= 64)
            taken += names
            waiting.removeFirst(names.count)
            guard intake.needsPass else { break }
            var pass = intake.beginPass()
            for (number, name) in waiting.enumerated().reversed() {
                pass.add(
                    Candidate(modified: Timestamp(milliseconds: Int64(taken.count + number)), file: file(name)))
            }
            intake.end(pass)
        }
        #expect(taken == (0..<1000).map { "\($0).json" })
    }

    @Test("events that find no place are made good by a sweep")
    func full() {
        var intake = intake(limit: 4)
        for number in 0..<10 { intake.notice(file("\(number).json"), .closed) }
        #expect(drain(&intake, at: start) == ["0.json", "1.json", "2.json", "3.json"])
        #expect(intake.needsPass)
    }

    @Test("files that cannot be taken do not hold up others, however many and old")
    func refused() {
        let bad = (0..<50).map { "bad-\($0).json" }
        var intake = intake(bad + ["good.json"], limit: 8)
        var looked: [String] = []
        while true {
            while let file = intake.next(at: start) {
                looked.append(file.name.text)
                if file.name.text == "good.json" { intake.forget(file) } else { _ = intake.refuse(file, "no") }
            }
            guard intake.needsPass else { break }
            sweep(&intake, bad + ["good.json"])
        }
        #expect(looked == bad + ["good.json"])
        #expect(intake.refused <= 9)
    }

    @Test("a file that cannot be taken is told once, tried again when its attributes change, and forgotten when gone")
    func refusedOnce() {
        var intake = intake(["a.json", "b.json"])
        #expect(intake.next(at: start) == file("a.json"))
        #expect(intake.refuse(file("a.json"), "mode") == true)
        #expect(intake.next(at: start) == file("b.json"))
        #expect(intake.refuse(file("b.json"), "owner") == true)
        #expect(intake.refusals(10) == ["mode", "owner"])
        #expect(intake.next(at: start) == nil)

        intake.noticeAttributes(file("a.json"))
        #expect(intake.next(at: start) == file("a.json"))
        #expect(intake.refuse(file("a.json"), "mode still") == false)
        #expect(intake.refusals(1) == ["mode still"])

        intake.wantSweep()
        sweep(&intake, ["a.json"])
        #expect(intake.refusals(10) == ["mode still"])
        #expect(intake.next(at: start) == file("a.json"))
        intake.forget(file("a.json"))
        #expect(intake.refused == 0)
    }

    @Test("when too many wait to be remembered, a sweep finds them in their time")
    func manyBroken() {
        let names = (0..<20).map { "\($0).json" }
        var intake = intake(names, limit: 5)
        func work(at now: Moment) -> Int {
            var taken = 0
            while true {
                while let file = intake.next(at: now) {
                    let look = Intake.Look(size: 1, links: 1, modified: start.wall)
                    guard intake.judge(file, look, at: now, isWhole: { false }) == .take else { continue }
                    intake.forget(file)
                    taken += 1
                }
                guard intake.needsPass else { return taken }
                sweep(&intake, names)
            }
        }
        #expect(work(at: start) == 0)
        #expect(intake.pending <= 6)
        #expect(work(at: start.advanced(by: .seconds(6))) >= 20)
    }
}
