import CLinux
import Glibc
import Platform

/// A small HTTP/1.1 origin on a loopback port that does exactly what a test has written down for it, bad manners
/// included. One thread a connection; all end with it.
package final class ScriptedOrigin: Sendable {
    /// A request as it came.
    package struct Request: Sendable {
        package let method: String
        package let target: String
        /// Lines of the head after the first.
        package let headers: [String]
        /// Counts connections from 1.
        package let connection: Int

        /// The value of the first header of that name.
        package func header(_ name: String) -> String? {
            let prefix = "\(name.lowercased()):"
            guard let line = headers.first(where: { $0.lowercased().hasPrefix(prefix) }) else { return nil }
            return String(line.dropFirst(prefix.count).drop { $0 == " " })
        }
    }

    /// The port it listens on, at 127.0.0.1.
    package let port: Int
    private let play: ScriptedPlay

    package init() throws {
        let listener = try LoopbackSocket.listen()
        port = try LoopbackSocket.port(of: listener)
        let play = try ScriptedPlay()
        self.play = play
        try Thread(name: "origin") { ScriptedOrigin.accept(listener, play) }.detach()
    }

    deinit {
        play.stop()
    }

    /// `path` on this origin; `host` is another name for 127.0.0.1.
    package func url(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

    /// What requests for `path` get, one answer each; the last one is for all that follow. A path without a script
    /// gets 404.
    package func script(_ path: String, _ answers: ScriptedAnswer...) {
        script(path, answers)
    }

    /// The same, of a list.
    package func script(_ path: String, _ answers: [ScriptedAnswer]) {
        play.script(path, answers)
    }

    /// What each request for `path` gets, made up when it comes; in place of a script.
    package func respond(to path: String, _ answer: @escaping @Sendable (Request) -> ScriptedAnswer) {
        play.respond(to: path, answer)
    }

    /// Bytes sent so far, over all connections.
    package var bytesSent: Int { play.bytesSent }

    /// All requests so far.
    package var requests: [Request] { play.requests }

    /// Connections accepted so far.
    package var connections: Int { play.connections }

    private static func accept(_ listener: Descriptor, _ play: ScriptedPlay) {
        while play.wait(for: listener.raw, events: POLLIN) {
            // Closed in the programs that tests start, or there its end would never be seen.
            let raw = clinux_accept(listener.raw)
            guard raw >= 0 else { continue }
            let socket = Descriptor(owning: raw)
            let number = play.connected()
            // Where no thread can be had the connection is closed, which the test will notice.
            try? Thread(name: "origin-conn") { ScriptedConnection(socket, number, play).serve() }.detach()
        }
    }
}
