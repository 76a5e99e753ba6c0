package import Hashing
import ImageInspection
import Platform

/// What is there already of a body that broke off, read again from its file: counted, hashed and looked at, so that the
/// rest can be taken as if the whole had come at once. Fed by whoever reads the file, piece by piece and in order; from
/// the moment it is given to a transfer it is only read.
package final class BodyPrefix: Sendable {
    private struct State: ~Copyable {
        var bytes: Int64 = 0
        var hasher = ContentHasher()
        var inspector = ImageInspector()
    }

    private let state = Locked(State())

    /// A prefix of no bytes yet.
    package init() {}

    /// Takes the next piece of the file.
    package func take(_ piece: UnsafeRawBufferPointer) {
        state.withLock { state in
            state.bytes += Int64(piece.count)
            state.hasher.update(piece)
            state.inspector.consume(piece)
        }
    }

    /// How many bytes it has taken.
    package var bytes: Int64 { state.withLock { $0.bytes } }

    /// The name of these bytes.
    package var content: ContentID { state.withLock { $0.hasher.digest() } }

    /// A copy of what has seen them, to go on with.
    func hasher() -> ContentHasher { state.withLock { $0.hasher.copy() } }
    /// The same of what has looked at them.
    var inspector: ImageInspector { state.withLock { $0.inspector } }
}
