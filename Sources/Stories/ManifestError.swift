/// Why a text is no manifest, or no pointer to one, of this version.
package struct ManifestError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong and where, for people.
    package let message: String

    package var description: String { message }
}
