/// The first bytes by which a format is known. Nil in a pattern stands for any byte.
struct Signature: Sendable {
    /// What the first bytes of a body say.
    enum Match {
        case undecided
        case walker(any Walker)
        case none(ImageProblem)
    }

    private enum Meaning {
        case picture(@Sendable () -> any Walker)
        case other(String)
    }

    private let pattern: [UInt8?]
    private let meaning: Meaning

    /// The length of the longest pattern.
    static let longest = all.map(\.pattern.count).max() ?? 0

    /// Compares with every pattern; no two agree with the same bytes. Undecided while the bytes so far begin one that
    /// is longer than they are.
    static func match(_ bytes: Bytes) -> Match {
        var undecided = false
        for signature in all where signature.agrees(with: bytes) {
            guard bytes.count >= signature.pattern.count else {
                undecided = true
                continue
            }
            switch signature.meaning {
            case .picture(let walker): return .walker(walker())
            case .other(let mediaType): return .none(.unsupported(mediaType))
            }
        }
        if undecided { return .undecided }
        return .none(.notImage("it begins like nothing that is known"))
    }

    private func agrees(with bytes: Bytes) -> Bool {
        (0..<min(bytes.count, pattern.count)).allSatisfy { pattern[$0] == nil || pattern[$0] == bytes[$0] }
    }

    private static func picture(_ pattern: [UInt8?], _ walker: @escaping @Sendable () -> any Walker) -> Signature {
        Signature(pattern: pattern, meaning: .picture(walker))
    }

    private static func other(_ pattern: [UInt8?], _ mediaType: String) -> Signature {
        Signature(pattern: pattern, meaning: .other(mediaType))
    }

    /// The codes of ASCII characters; a dot stands for any byte.
    private static func ascii(_ text: StaticString) -> [UInt8?] {
        text.withUTF8Buffer { $0.map { $0 == 0x2E ? nil : $0 } }
    }

    private static let all: [Signature] = [
        picture([0xFF, 0xD8, 0xFF, nil]) { JPEGWalker() },
        picture([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { PNGWalker() },
        picture(ascii("GIF87a")) { GIFWalker() },
        picture(ascii("GIF89a")) { GIFWalker() },
        picture(ascii("RIFF....WEBP")) { WebPWalker() },
        picture([0, 0, nil, nil] + ascii("ftyp")) { ISOMediaWalker() },
        picture(ascii("BM")) { BMPWalker() },
        picture([0x49, 0x49, 0x2A, 0x00]) { TIFFWalker() },
        picture([0x4D, 0x4D, 0x00, 0x2A]) { TIFFWalker() },
        picture([0xFF, 0x0A]) { JXLCodestreamWalker() },
        picture([0, 0, 0, 12] + ascii("JXL ") + [0x0D, 0x0A, 0x87, 0x0A]) { JXLContainerWalker() },
        picture(ascii("<")) { SVGWalker(hasByteOrderMark: false) },
        picture([0xEF, 0xBB, 0xBF]) { SVGWalker(hasByteOrderMark: true) },
        picture([0x20]) { SVGWalker(hasByteOrderMark: false) },
        picture([0x09]) { SVGWalker(hasByteOrderMark: false) },
        picture([0x0A]) { SVGWalker(hasByteOrderMark: false) },
        picture([0x0D]) { SVGWalker(hasByteOrderMark: false) },

        other([0, 0, 0, 12] + ascii("jP  ") + [0x0D, 0x0A, 0x87, 0x0A], "image/jp2"),
        other([0xFF, 0x4F, 0xFF, 0x51], "image/j2c"),
        other([0, 0, 1, 0, nil, 0], "image/vnd.microsoft.icon"),
        other(ascii("8BPS"), "image/vnd.adobe.photoshop"),
        other([0x1A, 0x45, 0xDF, 0xA3], "video/webm"),
        other(ascii("RIFF....AVI "), "video/x-msvideo"),
        other(ascii("RIFF....WAVE"), "audio/wav"),
        other(ascii("OggS"), "application/ogg"),
        other(ascii("%PDF-"), "application/pdf"),
        other([0x49, 0x49, 0x2B, 0x00], "image/tiff; version=43"),
        other([0x4D, 0x4D, 0x00, 0x2B], "image/tiff; version=43"),
    ]
}
