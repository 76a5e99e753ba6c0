package import ControlAPI
package import JSON

/// What the daemon does for the socket. The server checks a request's form and whether its peer may ask, and calls one of
/// these from a task of its own; a call that takes long holds up nobody but its client. `group` is a group id, empty for
/// a story without a group, nil where none was named.
package protocol ControlService: Sendable {
    /// Whether the peer may do that. Called on the server's own threads: it must not block.
    func permits(_ access: Route.Access, to peer: Peer) -> Bool
    /// How large a story's userInfo may be, in bytes.
    var payloadLimit: Int { get }
    /// The daemon's state and counters.
    func status() async -> StatusReport
    /// Makes the directory of a group that has none; a group that has one stays as it is. Answers whether it was made.
    func provision(_ group: String) async throws(APIError) -> (StatusReport.Group, isNew: Bool)
    /// A part of the stories that the peer may see, newest first. Throws `badRequest` for a cursor that it did not make.
    func stories(_ query: StoryQuery, for peer: Peer) async throws(APIError) -> StoryPage
    /// Takes a payload in. Where `wait` is given it returns when its stories are settled, or when that time is up.
    func accept(_ payload: [UInt8], group: String?, wait: Duration?) async throws(APIError) -> Acceptance
    /// The manifest's bytes, as they are on disk. `id` is what the client sent, of any form. Throws `notFound`, and
    /// `conflict` where several groups that the peer may see have the id and none was named.
    func manifest(id: String, group: String?, for peer: Peer) async throws(APIError) -> [UInt8]
    /// Removes a story. Throws as `manifest` does.
    func delete(id: String, group: String?, for peer: Peer) async throws(APIError)
    /// The picture of a page that is cached. Throws as `manifest` does.
    func image(id: String, page: Int, group: String?, for peer: Peer) async throws(APIError) -> PageImage
    /// What happens from here on, as far as the peer may know of it; ended by whoever sends it. Throws `tooManyRequests`
    /// where the peer has enough of them.
    func events(for peer: Peer) async throws(APIError) -> EventStream
    /// What the cache knows of a URL, told of what the peer may see. Throws `badRequest` where it is none that could be
    /// cached.
    func media(_ url: String, for peer: Peer) async throws(APIError) -> MediaReport
    /// Reads every object, and has what is damaged or gone fetched again; waits for that, for a time. Throws `conflict`
    /// while it is at it for another.
    func verify() async throws(APIError) -> VerificationReport
    /// Removes things from the cache.
    func evict(_ eviction: Eviction) async throws(APIError) -> EvictionReport
    /// The configuration in effect, secrets masked.
    func configuration() async -> JSONObject
    /// Whether the daemon does its work.
    func health() async -> Health
    /// What `status` tells, and more that is counted or measured: the text format of Prometheus, version 0.0.4.
    func metrics() async -> [UInt8]
}
