/// What status says of a container.
package struct ContainerReport: Sendable, Equatable {
    package let container: Container
    /// Its directory.
    package let path: String
    package let objects: Int
    /// The sizes of its objects together.
    package let bytes: Int64
}
