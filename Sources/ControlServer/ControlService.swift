package import ControlAPI

/// What the daemon does for the socket. The server checks a request's form and calls one of these from a task of its
/// own; a call that takes long holds up nobody but its client.
package protocol ControlService: Sendable {
    /// The daemon's state and counters.
    func status() async -> StatusReport
    /// A part of the stories, newest first. Throws `badRequest` for a cursor that it did not make.
    func stories(_ query: StoryQuery) async throws(APIError) -> StoryPage
    /// The manifest's bytes, as they are on disk. `id` is what the client sent, of any form; `group` is a group id,
    /// empty for a story without a group, nil where none was named. Throws `notFound`, and `conflict` where several
    /// groups have the id and none was named.
    func manifest(id: String, group: String?) async throws(APIError) -> [UInt8]
    /// Whether the daemon does its work.
    func health() async -> Health
}
