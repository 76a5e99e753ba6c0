import Testing

@testable import Daemon

struct MetricsFilePlanTests {
    private let start = SuspendingClock.now

    private func after(_ seconds: Double) -> SuspendingClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func `it is written at once, then every 15 seconds, whenever that comes to pass`() {
        var plan = MetricsFilePlan(path: "/a", at: start)
        #expect(plan.next == start)
        #expect(plan.begin(at: after(0.2)) == "/a")
        #expect(plan.next == after(15))
        #expect(plan.begin(at: after(14.9)) == nil)
        #expect(plan.begin(at: after(15.1)) == "/a")
        #expect(plan.next == after(30))
        // What was missed while the machine was busy is not made up for.
        #expect(plan.begin(at: after(61)) == "/a")
        #expect(plan.next == after(75))
    }

    @Test func `without a path nothing is due until there is one`() {
        var plan = MetricsFilePlan(path: nil, at: start)
        #expect(plan.next == nil)
        #expect(plan.begin(at: after(100)) == nil)
        plan.use("/a", at: after(100))
        #expect(plan.begin(at: after(100)) == "/a")
    }

    @Test func `another path is due at once, and the former file is left over where it was written`() {
        var plan = MetricsFilePlan(path: "/a", at: start)
        #expect(plan.begin(at: start) == "/a")
        #expect(plan.end("/a", failure: nil) == false)
        plan.use("/a", at: after(1))
        #expect(plan.next == after(15), "nothing has changed")
        plan.use("/b", at: after(2))
        #expect(plan.hasLeftOver)
        #expect(plan.takeLeftOver() == ["/a"])
        #expect(!plan.hasLeftOver)
        #expect(plan.begin(at: after(2)) == "/b")
        _ = plan.end("/b", failure: "full")
        plan.use(nil, at: after(3))
        #expect(plan.takeLeftOver() == [], "it may be somebody else's")
        #expect(plan.problem == nil)
    }

    @Test func `what is written while another is wanted already is left over as well`() {
        var plan = MetricsFilePlan(path: "/a", at: start)
        #expect(plan.begin(at: start) == "/a")
        plan.use(nil, at: after(1))
        #expect(plan.end("/a", failure: nil) == false)
        #expect(plan.takeLeftOver() == ["/a"])
    }

    @Test func `a file that is wanted again before it was removed stays`() {
        var plan = MetricsFilePlan(path: "/a", at: start)
        _ = plan.begin(at: start)
        _ = plan.end("/a", failure: nil)
        plan.use(nil, at: after(1))
        plan.use("/a", at: after(1))
        #expect(plan.takeLeftOver() == [])
        #expect(plan.next == after(1))
    }

    @Test func `a failure is news once, and over with the next success`() {
        var plan = MetricsFilePlan(path: "/a", at: start)
        var isNews = plan.end("/a", failure: "full")
        #expect(isNews && plan.problem == "full")
        isNews = plan.end("/a", failure: "full")
        #expect(!isNews && plan.problem == "full")
        isNews = plan.end("/a", failure: "read-only")
        #expect(isNews && plan.problem == "read-only")
        isNews = plan.end("/a", failure: nil)
        #expect(!isNews && plan.problem == nil)
        isNews = plan.end("/a", failure: "full")
        #expect(isNews)
    }
}
