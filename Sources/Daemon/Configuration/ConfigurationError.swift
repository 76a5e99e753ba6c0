/// A configuration that cannot be used, with all that is wrong in it. Prints one problem a line.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// At least one.
    package let problems: [ConfigurationProblem]

    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
