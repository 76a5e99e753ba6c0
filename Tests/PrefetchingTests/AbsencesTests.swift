import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Prefetching

@Suite(.timeLimit(.minutes(1))) struct AbsencesTests {
    private func error(_ status: Int) -> PageError { PageError(.httpStatus, "no", httpStatus: status) }

    @Test func `what is not there is remembered for a minute, other failures are not`() {
        let now = Absences.Instant.now
        var absences = Absences()
        for status in [404, 410, 403, 500] { absences.note("\(status)", error(status), at: now) }
        #expect(absences.error(of: "404", at: now + .seconds(59))?.httpStatus == 404)
        #expect(absences.error(of: "410", at: now)?.httpStatus == 410)
        #expect(absences.error(of: "403", at: now) == nil && absences.error(of: "500", at: now) == nil)
        #expect(absences.error(of: "404", at: now + .seconds(60)) == nil)
    }

    @Test func `many of them do not fill the memory`() {
        let now = Absences.Instant.now
        var absences = Absences()
        for number in 0..<10_000 { absences.note("\(number)", error(404), at: now) }
        #expect(absences.count <= 4096)
        #expect(absences.error(of: "9999", at: now) != nil)
    }

    @Test func `the next story is told at once, without a request`() async throws {
        let fixture = try await PrefetchFixture()
        fixture.serve(["/good"])
        try await fixture.accept("a", ["/gone", "/good"])
        _ = try await fixture.waitFor("a") { $0.settled }
        try await fixture.accept("b", ["/gone", "/good"])
        let page = try await fixture.waitFor("b") { $0.settled }.pages[0]
        #expect(page.state.error?.httpStatus == 404 && page.attempts == 0)
        #expect(fixture.requests == ["/gone": 1, "/good": 1])
        #expect(await fixture.isAtRest())
    }
}
