import Hashing
import MediaCache
import Platform
import Testing

@testable import Prefetching

/// When objects are read to see whether they still are what their names say.
struct ScrubTests {
    private static let week = 7 * 86_400.0
    private let start = Timestamp(seconds: 1_800_000_000)
    private let begin = Scrub.Instant.now

    private func reading(_ seconds: Double) -> AgeClock.Reading {
        AgeClock.Reading(earliest: start.advanced(bySeconds: seconds), latest: start.advanced(bySeconds: seconds))
    }

    private func content(_ number: UInt8) -> ContentID { ContentID.of([number]) }

    private func expect(
        _ isDue: Bool, of scrub: inout Scrub, _ time: AgeClock.Reading, at moment: Scrub.Instant,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let found = scrub.isDue(time, at: moment)
        #expect(found == isDue, sourceLocation: location)
    }

    /// A scrub whose pass began at the start and is over.
    private func done() -> Scrub {
        var scrub = Scrub()
        let isDue = scrub.isDue(reading(0), at: begin)
        #expect(isDue)
        scrub.end()
        return scrub
    }

    @Test func `the first pass begins at once, and the next a week after it began`() {
        var scrub = done()
        #expect(!scrub.mayRead)
        expect(false, of: &scrub, reading(Self.week - 1), at: begin.advanced(by: .seconds(Self.week)))
        expect(true, of: &scrub, reading(Self.week), at: begin.advanced(by: .seconds(Self.week)))
        #expect(scrub.position == nil && scrub.mayRead)
    }

    @Test func `a pass goes on after a restart, however long that took`() {
        var first = Scrub()
        _ = first.isDue(reading(0), at: begin)
        first.read(content(1), objects: 1, bytes: 10, lost: 0)
        var second = Scrub(first.memory)
        expect(true, of: &second, reading(3 * Self.week), at: begin)
        #expect(second.position == content(1))
    }

    @Test func `a jump of the clock that is not believed begins no pass, and one that was does not put the next off`() {
        var scrub = done()
        let doubted = AgeClock.Reading(
            earliest: start.advanced(bySeconds: 60), latest: start.advanced(bySeconds: 10 * 365 * 86_400))
        expect(false, of: &scrub, doubted, at: begin)
        // Ten years ahead, for as long as it took to be believed.
        var ahead = Scrub(ScrubMemory(began: start.advanced(bySeconds: 10 * 365 * 86_400), progress: .done))
        expect(true, of: &ahead, reading(0), at: begin)
        ahead.end()
        expect(false, of: &ahead, reading(60), at: begin)
    }

    @Test func `no more is read than the rate allows, also after an object that is larger than that`() {
        var scrub = Scrub()
        _ = scrub.isDue(reading(0), at: begin)
        var read = 0
        for second in 0..<600 {
            _ = scrub.isDue(reading(Double(second)), at: begin.advanced(by: .seconds(second)))
            while scrub.mayRead {
                let bytes = second.isMultiple(of: 7) ? 32 << 20 : 300_000
                scrub.read(content(UInt8(second & 0xFF)), objects: 1, bytes: Int64(bytes), lost: 0)
                read += bytes
            }
        }
        #expect(read <= 600 * Scrub.rate + Scrub.mostAllowed + 32 << 20)
        #expect(read >= 599 * Scrub.rate)
    }

    @Test func `what was not read for a while is not made up for at once`() {
        var scrub = Scrub()
        _ = scrub.isDue(reading(0), at: begin)
        _ = scrub.isDue(reading(86_400), at: begin.advanced(by: .seconds(86_400)))
        scrub.read(content(1), objects: 1, bytes: Int64(Scrub.mostAllowed), lost: 0)
        #expect(!scrub.mayRead)
    }

    @Test func `how far it has come is read as it was written, and nothing else is`() throws {
        for progress in [ScrubMemory.Progress.upTo(nil), .upTo(content(1)), .done] {
            let memory = ScrubMemory(began: start, progress: progress)
            #expect(ScrubMemory(memory.description) == memory)
            #expect(memory.description.utf8.count == 57)
        }
        for text in ["", "-", "\(start)", "\(start) x", "\(start) \(String(repeating: "g", count: 32))", "x =="] {
            #expect(ScrubMemory(text) == nil)
        }
    }
}
