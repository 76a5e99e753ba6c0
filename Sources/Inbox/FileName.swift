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

    /// Names that are passed over, of files and folders alike: hidden ones, and those that writers give to what is not
    /// finished.
    var isIgnored: Bool { isHidden || hasSuffix(".tmp") || hasSuffix(".part") || hasSuffix("~") }

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
    private var stem: String { removing(suffix: ".json") ?? text }

    /// The name without `suffix`, which is ASCII; nil where it does not end in it. By scalars: letters before or after
    /// may make one `Character` with those of the suffix.
    func removing(suffix: String) -> String? {
        hasSuffix(suffix) ? String(text.unicodeScalars.dropLast(suffix.utf8.count)) : nil
    }

    func hasSuffix(_ suffix: String) -> Bool {
        text.utf8.count >= suffix.utf8.count && text.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// The longest beginning of `text` that takes at most `limit` bytes and is UTF-8. One `Character` may be as long
    /// as any name, so it is cut between scalars.
    private static func cut(_ text: String, to limit: Int) -> String {
        var scalars = Substring(text).unicodeScalars
        while scalars.count > 0, Substring(scalars).utf8.count > limit { scalars.removeLast() }
        return String(scalars)
    }
}
