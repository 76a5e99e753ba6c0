import ImageInspection
import TestSupport
import Testing

@Suite("Real pictures of every kind")
struct SampleTests {
    @Test("Type, size and frames are told", arguments: try Sample.all)
    func headerIsTold(sample: Sample) throws {
        let bytes = try sample.bytes
        #expect(inspect(bytes) == .success(sample.header))
        #expect(feed(bytes).type == sample.header.type)
        #expect(feed(bytes).size == sample.header.size)
    }

    @Test("However the body is cut into pieces, the answer is the same", arguments: try Sample.all)
    func piecesDoNotMatter(sample: Sample) throws {
        let bytes = try sample.bytes
        #expect(inspect(bytes, pieces: [1]) == .success(sample.header))
        var numbers = SeededGenerator(seed: 1)
        for _ in 0..<50 {
            let pieces = (0..<bytes.count).map { _ in Int.random(in: 1...40, using: &numbers) }
            #expect(inspect(bytes, pieces: pieces) == .success(sample.header))
        }
    }

    @Test("Cut anywhere it is never taken for whole", arguments: try Sample.all.filter { $0.name != "bare.jxl" })
    func cutIsNeverWhole(sample: Sample) throws {
        var bytes = try sample.bytes
        // White space and a comment may follow an SVG's root and belong to it no more.
        if sample.name == "drawing.svg" { bytes.removeLast("\n<!-- The end. -->\n".utf8.count) }
        for length in 0..<bytes.count {
            guard case .failure(let problem) = inspect(bytes.prefix(length)) else {
                Issue.record("\(length) of \(bytes.count) bytes were taken for a picture")
                continue
            }
            // With its type known, what is cut is called incomplete and nothing else.
            guard feed(bytes.prefix(length)).type != nil else { continue }
            guard case .incomplete = problem else {
                Issue.record("\(length) bytes: \(problem)")
                continue
            }
        }
    }

    @Test("What is told early is not taken back", arguments: try Sample.all)
    func earlyAnswersStay(sample: Sample) throws {
        let bytes = try sample.bytes
        var inspector = ImageInspector()
        var hasType = false
        var hasSize = false
        for byte in bytes {
            withUnsafeBytes(of: byte) { inspector.consume($0) }
            hasType = hasType || inspector.type != nil
            hasSize = hasSize || inspector.size != nil
            #expect(inspector.rejection == nil)
            #expect(inspector.type == (hasType ? sample.header.type : nil))
            #expect(inspector.size == (hasSize ? sample.header.size : nil))
        }
        #expect(hasType && hasSize)
    }

    @Test(
        "The size is told by the header, long before the data",
        arguments: [
            ("baseline.jpg", 200), ("still.png", 33), ("still.gif", 13), ("lossy.webp", 30), ("lossless.webp", 25),
            ("animated.webp", 30), ("still.avif", 320), ("sequence.avif", 500), ("still.heic", 390), ("bare.jxl", 11),
        ])
    func sizeIsEarly(name: String, length: Int) throws {
        let sample = try #require(try Sample.all.first { $0.name == name })
        #expect(feed(try sample.bytes.prefix(length)).size == sample.header.size)
    }

    @Test("A bare JPEG XL codestream is judged by its header alone")
    func bareCodestream() throws {
        let sample = try Sample("bare.jxl", .jxl, 40, 30)
        #expect(inspect(try sample.bytes.prefix(20)) == .success(sample.header))
        #expect(inspect(try sample.bytes.prefix(5)) == .failure(.incomplete("the JPEG XL ends within its header")))
    }

    @Test(
        "Bytes after the end do not matter", arguments: try Sample.all.filter { Self.mayTrail.contains($0.header.type) }
    )
    func trailingBytes(sample: Sample) throws {
        let bytes = try sample.bytes
        for trailing: [UInt8] in [[0], [0xFF], [0xFF, 0xD8, 0xFF, 0xE0], Array("<!-- served by -->".utf8)] {
            #expect(inspect(bytes + trailing) == .success(sample.header))
            #expect(inspect(bytes + trailing, pieces: [7]) == .success(sample.header))
        }
    }

    static let mayTrail: Set<ImageType> = [.jpeg, .png, .gif]

    @Test("Media types and file endings are the registered ones")
    func names() {
        #expect(
            ImageType.allCases.map(\.fileExtension).joined(separator: " ")
                == "jpg png gif webp avif heic bmp tiff svg jxl")
        #expect(ImageType.jpeg.mediaType == "image/jpeg")
        #expect(ImageType.svg.mediaType == "image/svg+xml")
    }
}
