import ControlAPI
import ControlServer

extension DaemonService {
    func events(for peer: Peer) async throws(APIError) -> EventStream {
        // Asked anew for each batch: permissions and owners may change while it is open.
        try daemon.events.subscribe(peer) { await visible(of: $0, to: peer) }
    }
}
