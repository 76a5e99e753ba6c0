/// How a tree is laid out as text.
package enum JSONStyle: Sendable {
    /// No white space. With sorted keys this is the canonical form, whose hash names content.
    case compact
    /// One member or element a line, indented by two spaces, down to the sixth level; what is deeper stands on one
    /// line. Empty arrays and objects stay closed.
    case pretty
}
