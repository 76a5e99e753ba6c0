import Testing

@testable import Daemon

struct RefusalsTests {
    private let start = SuspendingClock.now

    @Test func `a refusal is news once, and holds until a payload is taken`() {
        var refusals = Refusals()
        var isNews = refusals.note("full", for: "group a", at: start)
        #expect(isNews)
        isNews = refusals.note("full", for: "group a", at: start)
        #expect(!isNews)
        isNews = refusals.note("read-only", for: "group a", at: start)
        #expect(isNews)
        #expect(refusals.current(at: start).map(\.message) == ["read-only"])
        refusals.end(for: "group a")
        #expect(refusals.current(at: start).isEmpty)
    }

    @Test func `a refusal that is not renewed is forgotten after two minutes`() {
        var refusals = Refusals()
        _ = refusals.note("full", for: "group a", at: start)
        let later = start.advanced(by: .seconds(61))
        _ = refusals.note("full", for: "group b", at: later)
        #expect(refusals.current(at: later).map(\.name) == ["group a", "group b"])
        #expect(refusals.current(at: start.advanced(by: .seconds(121))).map(\.name) == ["group b"])
    }
}
