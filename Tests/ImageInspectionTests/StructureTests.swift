import ImageInspection
import Testing

@Suite("The structure of each format")
struct StructureTests {
    // MARK: JPEG

    @Test("A thumbnail with an end of its own does not end the JPEG")
    func thumbnail() throws {
        let sample = try Sample("baseline.jpg", .jpeg, 40, 30)
        let bytes = try sample.bytes
        let thumbnail = bytes
        let segment = [0xFF, 0xE1] + big(UInt64(thumbnail.count + 2), 2) + thumbnail
        let whole = bytes.prefix(2) + segment + bytes.dropFirst(2)
        #expect(inspect(whole) == .success(sample.header))
        #expect(inspect(whole.prefix(2 + segment.count)) == .failure(.incomplete("the JPEG ends before its EOI")))
        #expect(inspect(whole.dropLast(2)) == .failure(.incomplete("the JPEG ends before its EOI")))
    }

    @Test("Fill bytes before markers are passed over")
    func fillBytes() throws {
        let sample = try Sample("baseline.jpg", .jpeg, 40, 30)
        let bytes = try sample.bytes
        let filled = bytes.prefix(2) + [0xFF, 0xFF, 0xFF] + bytes.dropFirst(2).dropLast(2) + [0xFF, 0xFF, 0xFF, 0xD9]
        #expect(inspect(filled) == .success(sample.header))
        #expect(inspect(filled, pieces: [1]) == .success(sample.header))
    }

    @Test("A JPEG's height may come after its first scan")
    func heightFromDNL() throws {
        let begin: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 0, 0, 16, 1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xFF, 0x00, 0x34]
        let lines: [UInt8] = [0xFF, 0xDC, 0, 4, 0, 9]
        let end: [UInt8] = [0xFF, 0xD9]
        #expect(feed(begin + scan).size == nil)
        #expect(try inspect(begin + scan + lines + end).get().size == PixelSize(width: 16, height: 9))
        #expect(inspect(begin + scan + end) == .failure(.incomplete("a JPEG without picture data")))
    }

    @Test(
        "A JPEG needs a frame header and a scan, each as it should be",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xD9], "a JPEG without picture data"),
            ([0xFF, 0xD8, 0xFF, 0xE0, 0, 1], "a JPEG segment of impossible length"),
            ([0xFF, 0xD8, 0xFF, 0xC0, 0, 7], "a JPEG frame header that is too short"),
            ([0xFF, 0xD8, 0xFF, 0xDA, 0, 8], "a JPEG scan before any frame header"),
            ([0xFF, 0xD8, 0xFF, 0xC0, 0, 8, 8, 0, 9, 0, 9, 1, 0xFF, 0xC2, 0, 8], "a JPEG with two frame headers"),
            ([0xFF, 0xD8, 0xFF, 0xD8], "another JPEG begins before the first has ended"),
        ] as [([UInt8], String)])
    func brokenJPEG(bytes: [UInt8], words: String) {
        #expect(feed(bytes).rejection == .incomplete(words))
    }

    @Test("A marker is found wherever it lies among the coded data")
    func markersAnywhere() throws {
        let begin: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 8, 8, 0, 9, 0, 16, 1, 0xFF, 0xDA, 0, 2]
        for length in 0..<40 {
            let data = [UInt8](repeating: 0xFE, count: length)
            let bytes = begin + data + [0xFF, 0x00] + data + [0xFF, 0xD0] + data + [0xFF, 0xD9]
            #expect(try inspect(bytes).get().size == PixelSize(width: 16, height: 9))
            #expect(try inspect(bytes, pieces: [9]).get().size == PixelSize(width: 16, height: 9))
        }
    }

    // MARK: PNG

    @Test("A PNG begins with its header, has data and sides")
    func brokenPNG() {
        let header = pngHeader(width: 3, height: 2)
        let text = chunk("tEXt", [UInt8](repeating: 0x41, count: 13))
        #expect(feed(pngSignature + text).rejection == .notImage("a PNG without its header in front"))
        #expect(
            feed(pngSignature + pngHeader(width: 0, height: 2)).rejection == .notImage("a PNG without width or height"))
        #expect(feed(pngSignature + header + chunk("IEND")).rejection == .incomplete("a PNG without picture data"))
        #expect(
            feed(pngSignature + header + big(1 << 31, 4) + Array("IDAT".utf8)).rejection
                == .incomplete("a PNG chunk of impossible length"))
        let whole = pngSignature + header + chunk("IDAT", [1, 2, 3]) + chunk("IEND")
        #expect((try? inspect(whole).get().size) == PixelSize(width: 3, height: 2))
    }

    @Test("The end of another PNG inside a chunk does not end it")
    func nestedPNG() {
        let inner = pngSignature + pngHeader(width: 1, height: 1) + chunk("IDAT") + chunk("IEND")
        let outer = pngSignature + pngHeader(width: 3, height: 2) + chunk("tEXt", inner) + chunk("IDAT", [1])
        #expect(inspect(outer) == .failure(.incomplete("the PNG ends before its IEND")))
    }

    // MARK: GIF and WebP

    @Test("A GIF needs a frame")
    func emptyGIF() {
        let screen: [UInt8] = Array("GIF89a".utf8) + [2, 0, 2, 0, 0, 0, 0]
        #expect(feed(screen + [0x3B]).rejection == .incomplete("a GIF without any frame"))
        #expect(feed(screen + [0x42]).rejection == .incomplete("an unknown block in a GIF"))
        #expect(
            feed(Array("GIF89a".utf8) + [0, 0, 2, 0, 0, 0, 0]).rejection == .notImage("a GIF without width or height"))
    }

    @Test("A WebP's chunks must fit into it")
    func brokenWebP() {
        let riff = Array("RIFF".utf8) + [30, 0, 0, 0] + Array("WEBP".utf8)
        #expect(
            feed(riff + Array("VP8L".utf8) + [0xFF, 0, 0, 0]).rejection
                == .incomplete("a WebP chunk larger than its file says"))
        #expect(
            feed(riff + Array("JUNK".utf8) + [2, 0, 0, 0]).rejection
                == .notImage("a WebP that does not begin with a picture"))
        #expect(
            feed(Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBP".utf8)).rejection
                == .incomplete("a WebP without picture data"))
    }

    // MARK: AVIF and HEIC

    static let description = box(
        "meta", big(0, 4),
        box("pitm", big(0, 4), big(1, 2)),
        box(
            "iprp",
            box(
                "ipco", box("ispe", big(0, 4), big(640, 4), big(480, 4)), box("irot", [1]),
                box("ispe", big(0, 4), big(64, 4), big(48, 4))),
            box("ipma", big(0, 4), big(2, 4), big(7, 2), [1, 3], big(1, 2), [2, 1, 0x82])))

    @Test(
        "Brands decide",
        arguments: [
            ("avif", "mif1", ImageType.avif), ("mif1", "avif", .avif), ("mif1", "heic", .heic), ("heix", "mif1", .heic),
            ("msf1", "hevc", .heic), ("abcd", "avif", .avif), ("avis", "heic", .avif),
        ])
    func brands(major: String, compatible: String, type: ImageType) throws {
        let brands = box("ftyp", Array(major.utf8), big(0, 4), Array(compatible.utf8))
        let bytes = brands + Self.description + box("mdat", [1, 2, 3])
        #expect(
            try inspect(bytes).get()
                == ImageHeader(
                    type: type, size: #require(PixelSize(width: 640, height: 480)), frames: 1))
    }

    @Test(
        "Odd brands are nothing",
        arguments: [
            box("ftyp", Array("abcd".utf8), big(0, 4)), box("ftyp", Array("avif".utf8)),
            box("ftyp", Array("avif".utf8), [0, 0, 0, 0, 0]), big(0, 4) + Array("ftypavif".utf8),
            big(1, 4) + Array("ftypavif".utf8) + big(24, 8),
            box("ftyp", Array("AVIF".utf8), big(0, 4), Array("Heic".utf8)),
        ])
    func oddBrands(brands: [UInt8]) {
        guard case .notImage = feed(brands + Self.description + box("mdat", [1])).rejection else {
            Issue.record("taken for something")
            return
        }
    }

    @Test("The primary picture's size counts, else the largest")
    func primarySize() {
        let brands = box("ftyp", Array("avif".utf8), big(0, 4))
        #expect(feed(brands + Self.description).size == PixelSize(width: 640, height: 480))
        let small = box("ispe", big(0, 4), big(64, 4), big(48, 4))
        let large = box("ispe", big(0, 4), big(65, 4), big(48, 4))
        let properties = box("ipco", small, large)
        let associations = box("ipma", big(0, 3), [1], big(1, 4), big(1, 2), [1], big(0x8001, 2))
        let primary = box("pitm", big(0, 4), big(1, 2))
        let told = box("meta", big(0, 4), primary, box("iprp", properties, associations))
        #expect(feed(brands + told).size == PixelSize(width: 64, height: 48))
        let untold = box("meta", big(0, 4), box("iprp", properties, associations))
        #expect(feed(brands + untold).size == PixelSize(width: 65, height: 48))
    }

    @Test("Boxes may be long, or run to the end, but not out of one another")
    func boxLengths() {
        let begin = box("ftyp", Array("avif".utf8), big(0, 4)) + Self.description
        let long = big(1, 4) + Array("mdat".utf8) + big(19, 8) + [1, 2, 3]
        #expect((try? inspect(begin + long).get().frames) == 1)
        #expect(inspect(begin + long.dropLast()) == .failure(.incomplete("a box is cut")))
        let open = big(0, 4) + Array("mdat".utf8) + [1, 2, 3]
        #expect((try? inspect(begin + open).get().frames) == 1)
        #expect(inspect(begin) == .failure(.incomplete("the picture's data are missing")))
        #expect(feed(begin + big(7, 4) + Array("free".utf8)).rejection == .incomplete("a box of impossible length"))
        #expect(
            feed(begin + big(1, 4) + Array("mdat".utf8) + big(.max, 8)).rejection
                == .incomplete("a box of impossible length"))
        let meta = box("meta", big(0, 4), big(99, 4) + Array("iprp".utf8))
        #expect(feed(begin + meta).rejection == .incomplete("a box of impossible length"))
        #expect(
            inspect(box("ftyp", Array("avif".utf8), big(0, 4)) + box("mdat", [1]))
                == .failure(.incomplete("nothing describes the picture")))
    }

    @Test("Data that run to the end must reach as far as the description says")
    func dataAsDescribed() throws {
        let brands = box("ftyp", Array("avif".utf8), big(0, 4))
        let size = box("iprp", box("ipco", box("ispe", big(0, 4), big(64, 4), big(48, 4))))
        // One item of one extent: 20 bytes at 200.
        let location = box(
            "iloc", big(0, 4), [0x44, 0x00], big(1, 2), big(1, 2), big(0, 2), big(1, 2), big(200, 4), big(20, 4))
        let begin = brands + box("meta", big(0, 4), location, size) + big(0, 4) + Array("mdat".utf8)
        let padded = begin + [UInt8](repeating: 7, count: 220 - begin.count)
        #expect(try inspect(padded).get().size == PixelSize(width: 64, height: 48))
        #expect(inspect(padded.dropLast()) == .failure(.incomplete("the picture's data are cut")))
    }

    @Test("A description that counts what takes no room costs no time", .timeLimit(.minutes(1)))
    func countsWithoutRoom() {
        // 65,535 items of 65,535 extents each, all of no length.
        let items = [UInt8](repeating: 0xFF, count: 65_000)
        let description = box("meta", big(0, 4), box("iloc", big(0, 4), [0, 0, 0xFF, 0xFF], items))
        let brands = box("ftyp", Array("avif".utf8), big(0, 4))
        #expect(inspect(brands + description) == .failure(.incomplete("the picture's data are missing")))
    }

    // MARK: BMP and TIFF

    @Test("A BMP may be written from the top down, and lacks no row")
    func topDownBMP() {
        let little: (Int32) -> [UInt8] = { big(UInt64(UInt32(bitPattern: $0)), 4).reversed() }
        let header = Array("BM".utf8) + little(0) + little(0) + little(54) + little(40)
        let sides = little(3) + little(-2) + [1, 0, 24, 0] + little(0) + little(0) + [UInt8](repeating: 0, count: 16)
        let whole = header + sides + [UInt8](repeating: 9, count: 24)
        #expect((try? inspect(whole).get().size) == PixelSize(width: 3, height: 2))
        #expect(inspect(whole.dropLast()) == .failure(.incomplete("the BMP lacks rows")))
        let lowest = header + little(.max) + little(.min) + [1, 0, 32, 0] + little(0)
        #expect(feed(lowest + little(0)).size?.height == 1 << 31)
    }

    @Test("A TIFF's directory may lie before its data, and counts with what it points to")
    func directoryInFront() {
        // Little-endian: one directory of four entries at 8, a strip of 5 bytes at 70.
        let entry: (UInt64, UInt64) -> [UInt8] = { big($0, 2).reversed() + [4, 0, 1, 0, 0, 0] + big($1, 4).reversed() }
        let directory = [4, 0] + entry(256, 100_000) + entry(257, 2) + entry(273, 70) + entry(279, 5) + [0, 0, 0, 0]
        let whole =
            [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0] + directory + [UInt8](repeating: 1, count: 75 - 8 - directory.count)
        #expect((try? inspect(whole).get().size) == PixelSize(width: 100_000, height: 2))
        #expect(inspect(whole.dropLast()) == .failure(.incomplete("the TIFF ends before its data")))
        #expect(
            feed([0x49, 0x49, 0x2A, 0, 4, 0, 0, 0]).rejection
                == .incomplete("a TIFF whose directory cannot be reached"))
    }

    // MARK: SVG

    @Test(
        "An SVG's size is in CSS pixels",
        arguments: [
            ("<svg width='10' height='20px'/>", 10, 20), ("<svg/>", 300, 150),
            ("<svg width='100%' viewBox='0 0 8 4'/>", 8, 4),
            ("<svg width=\"16\" viewBox='0,0,8,4'/>", 16, 8), ("<svg height='1in' viewBox='0 0 8 4'/>", 192, 96),
            ("<svg width='2.54cm' height=' 36pt '/>", 96, 48),
            ("<s:svg xmlns:s='x' width='0.2' height='1e9'></s:svg>", 1, 1_000_000_000),
            ("<svg width='1e300' height='nan'></svg >", 1 << 31, 150),
            ("<svg viewBox='0 0 1e-300 1e300'/>", 1, 1 << 31),
            ("  <!---->\n<?x <svg ?><svg\nheight='5'\twidth='6'><g a='>'/><!-- </svg> --></svg>", 6, 5),
        ])
    func svgSize(text: String, width: Int, height: Int) throws {
        let expected = ImageHeader(type: .svg, size: try #require(PixelSize(width: width, height: height)), frames: 1)
        #expect(inspect(text.utf8) == .success(expected))
        #expect(inspect(text.utf8, pieces: [1]) == .success(expected))
    }

    @Test(
        "An SVG whose root does not close is incomplete",
        arguments: [
            "<svg>", "<svg><g></svg>", "<svg><g/>", "<svg><!-- </svg>", "<svg><![CDATA[</svg>", "<svg><g a='</svg>",
        ])
    func openSVG(text: String) {
        #expect(inspect(text.utf8) == .failure(.incomplete("the SVG ends before its root closes")))
    }

    @Test("A side of nothing is no picture")
    func flatSVG() {
        #expect(feed("<svg width='0' height='4'/>".utf8).rejection == .notImage("an SVG without width or height"))
    }
}
