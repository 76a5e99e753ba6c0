import Testing

@testable import Prefetching

@Suite struct `What is tried again` {
    private let start = SuspendingClock.now

    private func after(_ seconds: Int) -> SuspendingClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func `what fails is due ever later, until it succeeds`() {
        var retries = Retries<String>()
        #expect(retries.next == nil)
        var isNews = retries.failed("a", start)
        #expect(isNews)
        #expect(retries.next == after(5))
        #expect(retries.due(after(4)).isEmpty && retries.due(after(5)) == ["a"])
        isNews = retries.failed("a", start)
        #expect(!isNews)
        #expect(retries.next == after(10))
        for _ in 0..<20 { _ = retries.failed("a", start) }
        #expect(retries.next == after(60))
        _ = retries.failed("b", start)
        #expect(retries.next == after(5) && retries.due(after(5)) == ["b"])
        for element in ["a", "b"] { retries.succeeded(element) }
        #expect(retries.next == nil)
        isNews = retries.failed("a", start)
        #expect(isNews, "again")
    }

    @Test func `the index is mended at once, then after rests from five seconds to an hour`() {
        var mending = MendSchedule()
        #expect(mending.isDue(start))
        for rest in [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600] {
            mending.failed(start)
            #expect(!mending.isDue(after(rest - 1)) && mending.isDue(after(rest)))
        }
        mending.succeeded()
        #expect(mending.isDue(start))
    }
}
