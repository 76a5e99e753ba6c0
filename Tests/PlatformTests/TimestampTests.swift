import Platform
import Testing

struct TimestampTests {
    @Test(
        "a moment is written in UTC with milliseconds, and read again",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (1, "1970-01-01T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (-1000, "1969-12-31T23:59:59.000Z"),
            (1_767_323_045_678, "2026-01-02T03:04:05.678Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        ])
    func roundTrip(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(
        "what is no moment of that form is refused",
        arguments: [
            "", "2026-01-02", "2026-01-02T03:04:05Z", "2026-01-02 03:04:05.678Z", "2026-01-02T03:04:05.678+",
            "2023-02-29T00:00:00.000Z", "2026-13-02T03:04:05.678Z", "2026-01-32T03:04:05.678Z",
            "2026-01-02T24:04:05.678Z", "2026-01-02T03:04:61.678Z", "2026-01-02T03:04:05,678Z",
            "2o26-01-02T03:04:05.678Z", "2026-01-02T03:04:05.67xZ", "٢026-01-02T03:04:05.678",
        ])
    func refused(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("moments are in order, and seconds lead from one to another")
    func arithmetic() {
        let moment = Timestamp(seconds: 10, nanoseconds: 1_999_999)
        #expect(moment.milliseconds == 10_001)
        #expect(moment.advanced(bySeconds: 1.5).milliseconds == 11_501)
        #expect(moment.advanced(bySeconds: -20).milliseconds == -9999)
        #expect(moment < moment.advanced(bySeconds: 0.001))
    }

    @Test("now is after the time this was written")
    func now() throws {
        #expect(try Timestamp.now() > #require(Timestamp("2025-01-01T00:00:00.000Z")))
    }
}
