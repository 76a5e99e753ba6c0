/// The name of a story within its group. Always a safe file name: no separator, no leading dot.
package struct StoryID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name itself: 1–80 of `A-Z a-z 0-9 . _ -`, the first no dot.
    package let description: String

    /// Nil where `text` can be no story's name.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard let first = bytes.first, first != UInt8(ascii: "."), bytes.count <= 80, bytes.allSatisfy(\.isIDCharacter)
        else { return nil }
        description = text
    }

    /// For names that are safe by the way they are made: a hash, or a name with a number after it.
    init(unchecked text: String) {
        description = text
    }

    package static func < (left: StoryID, right: StoryID) -> Bool {
        left.description < right.description
    }
}

/// What a story is known by: its name, within its group.
package struct StoryKey: Hashable, Sendable, CustomStringConvertible {
    /// Nil for a story without a group.
    package let group: GroupID?
    package let id: StoryID

    package init(group: GroupID?, id: StoryID) {
        self.group = group
        self.id = id
    }

    package var description: String { "\(group?.description ?? "_")/\(id)" }
}

extension UInt8 {
    var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    var isASCIILetterOrDigit: Bool { isASCIILetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// A byte that the names of groups and stories may hold.
    var isIDCharacter: Bool {
        isASCIILetterOrDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
    }
}
