import Platform
import Testing

@testable import MediaCache

/// How long answers are fresh, header by header.
@Suite struct FreshnessTests {
    private static let now = Timestamp(seconds: 1_767_225_600)  // Thu, 01 Jan 2026 00:00:00 GMT
    private static let day = 86_400

    struct Case: Sendable {
        let headers: ResponseHeaders
        /// Seconds that it is fresh for.
        let seconds: Int
    }

    private static func cacheControl(_ text: String, _ seconds: Int) -> Case {
        Case(headers: ResponseHeaders(cacheControl: text), seconds: seconds)
    }

    static let cases: [Case] = [
        Case(headers: ResponseHeaders(), seconds: day),
        cacheControl("max-age=60", 60),
        cacheControl("public, MAX-AGE = 60 , must-revalidate", 60),
        cacheControl("max-age=\"60\"", 60),
        cacheControl("max-age=60, max-age=90", 60),
        cacheControl("max-age=0", 0),
        cacheControl("no-cache", 0),
        cacheControl("no-cache=\"a, max-age=5\", max-age=60", 0),
        cacheControl("no-cache, max-age=60", 0),
        cacheControl("immutable", 365 * day),
        cacheControl("max-age=60, immutable", 60),
        cacheControl("s-maxage=5", day),
        cacheControl("private", day),
        // An age that cannot be read is none.
        cacheControl("max-age=-5", 0),
        cacheControl("max-age=", 0),
        cacheControl("max-age", 0),
        cacheControl("max-age=1e9", 0),
        cacheControl("max-age=6.5, max-age=60", 0),
        // Of others' ages nothing follows.
        cacheControl("must-revalidate", day),
        cacheControl("max-age=60, no-cache", 0),
        cacheControl("immutable, no-cache", 0),
        cacheControl("stale-while-revalidate=9, max-age=60, stale-if-error=9", 60),
        // Garbage says nothing.
        cacheControl(",,=,;\"", day),
        // Nothing is immortal.
        cacheControl("max-age=999999999999999999999999", 365 * day),
        cacheControl("max-age=2147483648", 365 * day),
        // Age was spent on the way.
        Case(headers: ResponseHeaders(cacheControl: "max-age=60", age: "20"), seconds: 40),
        Case(headers: ResponseHeaders(cacheControl: "max-age=60", age: "61"), seconds: 0),
        Case(headers: ResponseHeaders(cacheControl: "max-age=60", age: "-1"), seconds: 60),
        Case(headers: ResponseHeaders(cacheControl: "max-age=60", age: "x"), seconds: 60),
        Case(headers: ResponseHeaders(cacheControl: "max-age=60", age: "99999999999999999999"), seconds: 0),
        Case(headers: ResponseHeaders(cacheControl: "max-age=60", age: "20, 50"), seconds: 40),
        Case(headers: ResponseHeaders(cacheControl: "max-age=60", age: ", 50"), seconds: 10),
        // A date that is none: counted from the arrival.
        Case(
            headers: ResponseHeaders(expires: "Thu, 01 Jan 2026 01:00:00 GMT", date: "no date at all"), seconds: 3600),
        Case(headers: ResponseHeaders(expires: "Wed, 31 Dec 2025 23:59:59 GMT"), seconds: 0),
        Case(headers: ResponseHeaders(expires: ""), seconds: 0),
        // Expires is counted from the origin's own clock, and max-age goes before it.
        Case(headers: ResponseHeaders(expires: "Thu, 01 Jan 2026 01:00:00 GMT"), seconds: 3600),
        Case(
            headers: ResponseHeaders(
                expires: "Thu, 01 Jan 2015 01:00:00 GMT", date: "Thu, 01 Jan 2015 00:00:00 GMT"), seconds: 3600),
        Case(headers: ResponseHeaders(expires: "Thu, 01 Jan 2015 01:00:00 GMT"), seconds: 0),
        Case(headers: ResponseHeaders(cacheControl: "max-age=9", expires: "0"), seconds: 9),
        Case(headers: ResponseHeaders(expires: "0"), seconds: 0),
        Case(headers: ResponseHeaders(expires: "-1"), seconds: 0),
        Case(headers: ResponseHeaders(expires: "Fri, 31 Dec 9999 23:59:59 GMT"), seconds: 365 * day),
        // A tenth of the time that it has been unchanged; a second where that is none yet.
        Case(
            headers: ResponseHeaders(
                date: "Fri, 02 Jan 2015 00:00:00 GMT", lastModified: "Fri, 02 Jan 2015 00:00:00 GMT"), seconds: 1),
        Case(headers: ResponseHeaders(lastModified: "Wed, 31 Dec 2025 00:00:00 GMT"), seconds: day / 10),
        Case(headers: ResponseHeaders(lastModified: "Thu, 01 Jan 2015 00:00:00 GMT"), seconds: 7 * day),
        Case(headers: ResponseHeaders(lastModified: "Thu, 01 Jan 2037 00:00:00 GMT"), seconds: day),
        Case(headers: ResponseHeaders(lastModified: "yesterday"), seconds: day),
        Case(
            headers: ResponseHeaders(
                date: "Fri, 02 Jan 2015 00:00:00 GMT", lastModified: "Thu, 01 Jan 2015 00:00:00 GMT"),
            seconds: day / 10),
    ]

    @Test(arguments: cases)
    func anAnswerIsFreshForAsLongAsItsHeadersSay(_ example: Case) {
        let freshness = Freshness(example.headers, now: Self.now)
        let end = Self.now.advanced(bySeconds: Double(example.seconds))
        #expect(freshness.freshUntil == end)
        #expect(freshness.isReusable)
        #expect(!freshness.isFresh(at: end))
        #expect(example.seconds == 0 || freshness.isFresh(at: end.advanced(bySeconds: -1)))
    }

    @Test(arguments: [
        ("Accept", true), ("Accept-Encoding", true), ("accept-encoding, ACCEPT", true), ("Origin", false), ("", true),
        ("*", false), ("User-Agent", false), ("Accept-Encoding, Cookie", false),
    ])
    func whatVariesServesOnlyThoseWhoWaited(vary: String, isReusable: Bool) {
        let freshness = Freshness(ResponseHeaders(cacheControl: "max-age=60", vary: vary), now: Self.now)
        #expect(freshness.isReusable == isReusable)
        #expect(freshness.isFresh(at: Self.now) == isReusable)
    }

    @Test func whatIsNotToBeStoredServesOnlyThoseWhoWaited() {
        #expect(!Freshness(ResponseHeaders(cacheControl: "max-age=60, No-Store"), now: Self.now).isReusable)
    }

    @Test(arguments: [
        (ResponseHeaders(), 0), (ResponseHeaders(cacheControl: "max-age=60"), 60),
        (ResponseHeaders(expires: "Thu, 01 Jan 2026 01:00:00 GMT"), 3600),
    ])
    func whatMustBeAskedAboutStillMustWhere304SaysNothingElse(headers: ResponseHeaders, seconds: Int) {
        let first = Freshness(
            ResponseHeaders(
                cacheControl: "no-cache", lastModified: "Thu, 01 Jan 2015 00:00:00 GMT", etag: "\"1\""), now: Self.now)
        let second = first.renewed(by: headers, now: Self.now)
        #expect(second.freshUntil == Self.now.advanced(bySeconds: Double(seconds)))
        #expect(second.etag == "\"1\"" && second.isReusable)
    }

    @Test func validatorsAreKeptAsTheyCame() {
        let freshness = Freshness(ResponseHeaders(lastModified: "x", etag: "W/\"1\""), now: Self.now)
        #expect(freshness.etag == "W/\"1\"")
        #expect(freshness.lastModified == "x")
    }

    @Test func aClockThatJumpsMakesNothingImmortal() {
        let ahead = Self.now.advanced(bySeconds: Double(10 * 365 * Self.day))
        let freshness = Freshness(ResponseHeaders(cacheControl: "max-age=60"), now: ahead)
        #expect(!freshness.isFresh(at: Self.now))
        // A clock that was set back a little does no harm.
        #expect(freshness.isFresh(at: ahead.advanced(bySeconds: -3600)))
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
        ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.000Z"),
        // 50 years ahead at most.
        ("Wednesday, 01-Jan-75 00:00:00 GMT", "2075-01-01T00:00:00.000Z"),
        ("Saturday, 01-Jan-77 00:00:00 GMT", "1977-01-01T00:00:00.000Z"),
        ("Sun, 06 Nov 1994 08:49:60 GMT", "1994-11-06T08:50:00.000Z"),
        ("Sun, 6 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37.000Z"),
    ])
    func theThreeFormsOfDatesAreRead(text: String, moment: String) {
        #expect(HTTPDate.parse(text, now: Self.now)?.description == moment)
    }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 8:49 GMT",
        "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
    ])
    func otherDatesAreNone(text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == nil)
    }
}
