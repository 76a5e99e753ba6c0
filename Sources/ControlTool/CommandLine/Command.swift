/// What the user wants done.
enum Command: Equatable, Sendable {
    case status
    case list(group: String?, state: String?, limit: Int)
    case show(id: String, group: String?)
}
