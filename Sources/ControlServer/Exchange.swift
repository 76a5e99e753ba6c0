import ControlAPI
import Platform

/// One request on its way to its reply. libmicrohttpd's connection owns it from the request's first callback to its
/// last; while the daemon works, `Exchanges` holds it too.
final class Exchange: Sendable {
    /// The call to make; nil where the request is refused.
    let call: Call?
    /// Why it is refused.
    let refusal: APIError?
    /// The connection is not used again: a body that nobody reads would be taken for the next request.
    let endsConnection: Bool
    /// The daemon's reply, once it is there.
    let reply = Locked<Reply?>(nil)

    init(_ request: Request) {
        endsConnection = request.hasBody
        do throws(APIError) {
            call = try Call(request)
            refusal = nil
        } catch {
            call = nil
            refusal = error
        }
    }
}
