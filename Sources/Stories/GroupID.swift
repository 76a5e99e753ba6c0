/// The name of an app group, such as `group.com.example.app`. Always a safe file name.
package struct GroupID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name itself: `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`.
    package let description: String

    /// Nil where `text` is no group's name.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard let first = bytes.first, first.isASCIILetterOrDigit, bytes.count <= 128,
            bytes.allSatisfy(\.isIDCharacter)
        else { return nil }
        description = text
    }

    package static func < (left: GroupID, right: GroupID) -> Bool {
        left.description < right.description
    }
}
