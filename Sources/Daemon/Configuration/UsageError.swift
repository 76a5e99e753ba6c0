/// A command line that cannot be understood: what is wrong in it and what would be right, without a full stop.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
