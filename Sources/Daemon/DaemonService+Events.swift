import ControlAPI
import ControlServer
import Prefetching

extension DaemonService {
    func events(for peer: Peer) async throws(APIError) -> EventStream {
        // Who owns what is found out now: of a container that is gone by the time of an event, it could not be.
        await noteOwners(of: await daemon.prefetcher.containers)
        // Asked anew for each batch: permissions and owners may change while it is open.
        return try daemon.events.subscribe(peer) { await visible(of: $0, to: peer) }
    }
}
