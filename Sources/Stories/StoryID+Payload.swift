internal import Hashing
internal import JSON

extension StoryID {
    /// The name that a notification's `p` gives its story; nil where it has none.
    ///
    /// A hash that stands for an unsafe `p` is marked by an `x`, so a `p` that looks like any hash is hashed itself: no
    /// sender can name a story by the content of another.
    init?(messageHash userInfo: JSONObject) {
        guard let text = userInfo["p"]?.stringValue, !text.isEmpty else { return nil }
        if text.utf8.count <= 64, !Self.looksLikeHash(text), let id = StoryID(text) {
            self = id
        } else {
            self.init(unchecked: "x\(ContentID.of(utf8: text).hex)")
        }
    }

    /// The name by content.
    init(content userInfo: JSONObject) {
        self.init(unchecked: userInfo.contentID.hex)
    }

    /// The name of one of several stories whose notifications share a name.
    func numbered(_ number: Int) -> StoryID {
        StoryID(unchecked: "\(self)-\(number)")
    }

    private static func looksLikeHash(_ text: String) -> Bool {
        let bytes = text.utf8
        let digits = bytes.first == UInt8(ascii: "x") ? bytes.dropFirst() : bytes[...]
        return digits.count == 32 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}
