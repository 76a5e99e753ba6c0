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

    /// Compares with every pattern. Undecided while the bytes so far begin one that is longer than they are.
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
        let isText = (0..<bytes.count).allSatisfy { bytes[$0] >= 0x20 || (0x09...0x0D).contains(bytes[$0]) }
        return .none(.notImage(isText ? "it begins like a text" : "it begins like nothing that is known"))
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
    ]
}
