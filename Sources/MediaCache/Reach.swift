/// Where something may be removed for the sake of something else.
package struct Reach: Sendable, Equatable {
    /// Nil: in all containers.
    let containers: Set<Container>?

    package func contains(_ container: Container) -> Bool { containers?.contains(container) ?? true }
}
