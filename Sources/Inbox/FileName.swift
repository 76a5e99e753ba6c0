/// The name of a file or folder in the inbox. Names are told apart and sorted by their bytes, as the kernel does:
/// `String` would take composed and decomposed letters for the same file.
struct FileName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// What a filesystem takes as one name, in bytes.
    static let longest = 255

    let text: String

    init(_ text: String) {
        self.text = text
    }

    var description: String { text }

    static func == (left: FileName, right: FileName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    static func < (left: FileName, right: FileName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Hidden names are the writers' temporaries and the daemon's own folders.
    var isHidden: Bool { text.utf8.first == UInt8(ascii: ".") }

    /// Whether a file of this name is a payload: `*.json`, not hidden. (`.tmp`, `.part` and `~`, which writers of
    /// temporaries use, are other endings.)
    var isPayload: Bool { !isHidden && hasSuffix(".json") && text.utf8.count > ".json".utf8.count }

    /// The name of number `number` among files that want this one: `a.json`, `a-2.json`, `a-3.json` …, cut so that
    /// it takes at most `limit` bytes.
    func numbered(_ number: Int, limit: Int = longest) -> FileName {
        let ending = hasSuffix(".json") ? ".json" : ""
        let tail = number < 2 ? ending : "-\(number)\(ending)"
        return FileName(Self.cut(stem, to: limit - tail.utf8.count) + tail)
    }

    /// The name without `.json`.
    var stem: String {
        hasSuffix(".json") ? String(text.dropLast(".json".count)) : text
    }

    func hasSuffix(_ suffix: String) -> Bool {
        text.utf8.count >= suffix.utf8.count && text.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// The longest beginning of `text` that takes at most `limit` bytes, cut between characters.
    private static func cut(_ text: String, to limit: Int) -> String {
        var text = Substring(text)
        while text.utf8.count > limit, !text.isEmpty { text.removeLast() }
        return String(text)
    }
}
