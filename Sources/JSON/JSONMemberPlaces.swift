/// Where the keys of a text stand: those of the object that it holds, and of the objects that are its members. For
/// errors in what a text says, when nothing is wrong with the way it is written.
package struct JSONMemberPlaces: Sendable {
    private let bytes: [UInt8]
    private let offsets: [[String]: Int]

    init(bytes: [UInt8], offsets: [[String]: Int]) {
        self.bytes = bytes
        self.offsets = offsets
    }

    /// The place of a member, by the keys that lead to it; nil where there is none. Of equal keys it is that of the
    /// last, whose value counts.
    package func place(of path: [String]) -> TextPlace? {
        offsets[path].map { TextPlace(of: $0, in: bytes) }
    }
}
