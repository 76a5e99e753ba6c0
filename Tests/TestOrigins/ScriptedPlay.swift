import Glibc
import Platform

/// What the threads of a scripted origin share: the scripts, the record of requests, and the flag that ends them.
final class ScriptedPlay: Sendable {
    private struct State {
        var scripts: [String: [ScriptedAnswer]] = [:]
        var responders: [String: @Sendable (ScriptedOrigin.Request) -> ScriptedAnswer] = [:]
        var requests: [ScriptedOrigin.Request] = []
        var connections = 0
        var bytesSent = 0
    }

    private let state = Locked(State())
    private let stopped: Gate

    init() throws {
        stopped = try Gate()
    }

    func stop() { stopped.open() }

    func script(_ path: String, _ answers: [ScriptedAnswer]) {
        state.withLock { $0.scripts[path] = answers }
    }

    func respond(to path: String, _ answer: @escaping @Sendable (ScriptedOrigin.Request) -> ScriptedAnswer) {
        state.withLock { $0.responders[path] = answer }
    }

    func sent(_ bytes: Int) { state.withLock { $0.bytesSent += bytes } }
    var bytesSent: Int { state.withLock { $0.bytesSent } }

    var requests: [ScriptedOrigin.Request] { state.withLock { $0.requests } }
    var connections: Int { state.withLock { $0.connections } }

    /// Counts a connection; returns its number.
    func connected() -> Int {
        state.withLock { state in
            state.connections += 1
            return state.connections
        }
    }

    /// Records a request and has its answer made up, or takes it off the script.
    func answer(_ request: ScriptedOrigin.Request) -> ScriptedAnswer {
        let path = String(request.target.prefix { $0 != "?" })
        let responder = state.withLock { state in
            state.requests.append(request)
            return state.responders[path]
        }
        if let responder { return responder(request) }
        return state.withLock { state in
            let key = state.scripts[request.target] == nil ? path : request.target
            guard let script = state.scripts[key], let first = script.first else { return .status("404 Not Found") }
            if script.count > 1 { state.scripts[key]?.removeFirst() }
            guard let etag = first.etag, request.header("If-None-Match") == etag else { return first }
            return .raw("HTTP/1.1 304 Not Modified\r\nCache-Control: no-cache\r\nETag: \(etag)\r\n\r\n")
        }
    }

    /// Sleeps until `descriptor` is ready for `events` or has hung up; false once stopped, or after `timeout`.
    func wait(for descriptor: Int32, events: Int32, timeout: Duration? = nil) -> Bool {
        var entries = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: stopped.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = timeout.map { Int32($0 / .milliseconds(1)) } ?? -1
        while poll(&entries, 2, milliseconds) < 0 {}
        return entries[1].revents == 0 && entries[0].revents != 0
    }

    /// Sleeps until `gate` is open; false where `socket` hung up, or once stopped.
    func wait(for gate: Gate, socket: Int32) -> Bool {
        // POLLRDHUP is GNU's alone; a client that has gone makes the socket readable, and ours never pipeline.
        var entries = [gate.descriptor, socket, stopped.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while poll(&entries, 3, -1) < 0 {}
        return entries[0].revents != 0
    }
}
