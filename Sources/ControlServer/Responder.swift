import ControlAPI

/// Turns calls into replies by asking the daemon.
struct Responder: Sendable {
    let service: any ControlService

    /// The answer to one call; takes as long as the daemon takes.
    func reply(to call: Call) async -> Reply {
        do throws(APIError) {
            switch call {
            case .status:
                return Reply(await service.status().json)
            case .stories(let query):
                return Reply(try await service.stories(query).json)
            case .story(let id, let group):
                return Reply(body: try await service.manifest(id: id, group: group))
            case .health:
                let health = await service.health()
                return Reply(status: health.isWorking ? 200 : 503, health.json)
            }
        } catch {
            return Reply(error)
        }
    }
}
