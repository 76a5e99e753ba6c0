import Foundation
import ImageInspection
import TestSupport
import Testing

@Suite("Bytes that mean harm, or nothing")
struct HostileTests {
    @Test("Random changes never trap, and pieces still do not matter", arguments: try Sample.all)
    func mutations(sample: Sample) throws {
        let original = try sample.bytes
        var numbers = SeededGenerator(seed: 2)
        let interesting: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF]
        for _ in 0..<300 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                let place = Int.random(in: 0..<bytes.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: bytes[place] = interesting.randomElement(using: &numbers) ?? 0
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
                default:
                    let length = min(4, bytes.count - place)
                    bytes.replaceSubrange(place..<(place + length), with: [UInt8](repeating: 0xFF, count: length))
                }
            }
            let whole = inspect(bytes)
            let pieces = (0..<8).map { _ in Int.random(in: 1...64, using: &numbers) }
            #expect(inspect(bytes, pieces: pieces) == whole)
        }
    }

    @Test("Random bytes behind every signature never trap", arguments: try Sample.all)
    func noise(sample: Sample) throws {
        let original = try sample.bytes
        var numbers = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let kept = original.prefix(Int.random(in: 2...32, using: &numbers))
            let bytes = kept + (0..<600).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            let whole = inspect(bytes)
            #expect(inspect(bytes, pieces: [3, 50, 1]) == whole)
        }
    }

    @Test(
        "What is too short to be known is no picture",
        arguments: [
            [], [0xFF], [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E], Array("GIF".utf8), Array("GIF8".utf8), Array("BM".utf8),
            Array("RIF".utf8), [0, 0, 0], Array("<sv".utf8), [0x49, 0x49, 0x2A], [0xFF, 0x0A], Array("   ".utf8),
        ] as [[UInt8]])
    func tooShort(bytes: [UInt8]) {
        guard case .failure = inspect(bytes) else {
            Issue.record("taken for a picture")
            return
        }
    }

    @Test(
        "Text, HTML and other things are no picture, and that is known early",
        arguments: [
            "Hello", "GIF88a and more", "{\"error\": \"no\"}", "RIFF1234ACON", "PK\u{3}\u{4}",
            "<!DOCTYPE html><html><body><svg/></body></html>", "<!doctype HTML>\n<svg></svg>", "\n <html>",
            "<p>Not found</p>",
            "<?xml version='1.0'?><error/>", "<!-- <svg> --><rss>", "\u{FEFF}<html>", "</svg>", "  text <svg/>",
            "BMW is a maker of cars and motorcycles",
        ])
    func noPicture(text: String) {
        let inspector = feed(text.utf8)
        guard case .notImage = inspector.rejection else {
            Issue.record("\(String(describing: inspector.rejection))")
            return
        }
        #expect(inspector.type == nil)
    }

    @Test(
        "What is known and no picture is named",
        arguments: [
            (box("ftyp", Array("isom".utf8), big(512, 4), Array("isomiso2avc1mp41".utf8)), "video/mp4"),
            (box("ftyp", Array("mp42".utf8), big(0, 4)), "video/mp4"),
            (box("ftyp", Array("qt  ".utf8), big(0, 4), Array("qt  ".utf8)), "video/quicktime"),
            (box("ftyp", Array("3gp5".utf8), big(0, 4)), "video/3gpp"),
            (box("ftyp", Array("mif1".utf8), big(0, 4), Array("mif1miaf".utf8)), "image/heif"),
            ([0x1A, 0x45, 0xDF, 0xA3], "video/webm"),
            (Array("%PDF-1.7".utf8), "application/pdf"),
            (Array("8BPS".utf8), "image/vnd.adobe.photoshop"),
            ([0, 0, 1, 0, 1, 0, 16, 16], "image/vnd.microsoft.icon"),
            ([0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A], "image/jp2"),
            (Array("RIFF____WAVE".utf8), "audio/wav"),
        ] as [([UInt8], String)])
    func unsupported(bytes: [UInt8], mediaType: String) {
        #expect(feed(bytes).rejection == .unsupported(mediaType))
        #expect(feed(bytes, pieces: [1]).rejection == .unsupported(mediaType))
        #expect(inspect(bytes) == .failure(.unsupported(mediaType)))
    }

    @Test("A size too large to be true is told from the header, and its pixels do not overflow")
    func hugePNG() throws {
        let inspector = feed(pngSignature + pngHeader(width: 1 << 31, height: 1 << 31))
        #expect(inspector.size == PixelSize(width: 1 << 31, height: 1 << 31))
        #expect(inspector.size?.pixels == 1 << 62)
        #expect(PixelSize(width: 1 << 32, height: 1 << 32)?.pixels == .max)
    }

    @Test(
        "Nothing is kept of a body of 16 MiB, whatever part of a picture it claims to be",
        arguments: [
            pngSignature + pngHeader(width: 1, height: 1) + big(1 << 30, 4) + Array("IDAT".utf8),
            [0xFF, 0xD8, 0xFF, 0xDA, 0, 2],
            box("ftyp", Array("avif".utf8), big(0, 4)) + big(1 << 30, 4) + Array("meta".utf8) + big(0, 4)
                + big(1 << 29, 4) + Array("iloc".utf8),
            box("ftyp", Array("heic".utf8), big(0, 4)) + big(0, 4) + Array("mdat".utf8),
            Array("<svg a='".utf8), Array("<svg ".utf8), Array("<".utf8), Array("<!doctype svg [".utf8),
            Array("<svg>".utf8), Array("GIF89a".utf8), Array("RIFF\u{7F}\u{7F}\u{7F}\u{7F}WEBP".utf8),
        ] as [[UInt8]])
    func memoryIsBounded(beginning: [UInt8]) {
        let filler = [UInt8](repeating: 0x41, count: 1 << 16)
        var inspector = feed(beginning)
        for _ in 0..<256 { filler.withUnsafeBytes { inspector.consume($0) } }
        #expect(heldBytes(inspector) <= 1 << 16)
        guard case .failure = inspector.finish() else {
            Issue.record("taken for a picture")
            return
        }
    }

    /// Bytes in all the arrays and texts that a value holds, however deep. (The memory of the process would tell of other tests.)
    private func heldBytes(_ value: Any) -> Int {
        if let bytes = value as? [UInt8] { return bytes.count }
        if let text = value as? String { return text.utf8.count }
        return Mirror(reflecting: value).children.reduce(0) { $0 + heldBytes($1.value) }
    }
}
