internal import CXXHash

/// Hashes content that arrives in pieces. Owned by whoever receives the bytes, moved and copied only by `copy`;
/// it frees its memory of about 600 bytes at the end of its life.
package struct ContentHasher: ~Copyable, @unchecked Sendable {
    // SAFETY: the state is held by this value alone, which is in one place at a time; reading it changes nothing.
    /// Allocated by libxxhash, which aligns it as its vector code needs.
    private let state: OpaquePointer

    /// A hasher that has seen nothing.
    package init() {
        guard let state = XXH3_createState() else { preconditionFailure("out of memory") }
        self.state = state
        reset()
    }

    deinit {
        // SAFETY: the state came from XXH3_createState and nobody else holds it.
        XXH3_freeState(state)
    }

    /// Takes the next piece.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // SAFETY: the pointer and count are of one buffer, valid for the call; XXH3 takes NULL with a length of 0.
        _ = XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
    }

    /// Takes the next piece.
    package mutating func update(_ bytes: [UInt8]) {
        // SAFETY: the buffer is used only within the call.
        bytes.withUnsafeBytes { _ = XXH3_128bits_update(state, $0.baseAddress, $0.count) }
    }

    /// The name of all that was taken since the start or the last reset; more may follow.
    package func digest() -> ContentID {
        // SAFETY: the state is initialised and only read.
        ContentID(XXH3_128bits_digest(state))
    }

    /// Another hasher that has seen the same so far.
    package func copy() -> ContentHasher {
        let copy = ContentHasher()
        // SAFETY: both states are initialised, and the copy's is held by nobody else yet.
        XXH3_copyState(copy.state, state)
        return copy
    }

    /// Forgets all that was taken.
    package mutating func reset() {
        // SAFETY: the state is allocated and held by this value alone.
        _ = XXH3_128bits_reset(state)
    }
}
