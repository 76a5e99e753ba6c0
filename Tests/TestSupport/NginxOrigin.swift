import Foundation
import Glibc
import Platform
import TestOrigins

/// A real nginx that serves a directory: HTTP/1.1 on one loopback port, HTTP/2 over TLS on another, with a certificate
/// of `TestAuthority`. Ends with the last reference.
package final class NginxOrigin: Sendable {
    /// A line of the access log; paths without their query.
    package struct Request: Sendable, Equatable {
        package let path: String
        package let status: Int
        /// nginx's own number of the connection.
        package let connection: Int
        /// `HTTP/1.1` or `HTTP/2.0`.
        package let version: String
        /// The request's header X-Token; `-` where there was none.
        package let token: String
        /// What went over the wire for it, both ways, below TLS.
        package let bytes: Int
    }

    /// 127.0.0.1, plain.
    package let port: Int
    /// 127.0.0.1, TLS.
    package let securePort: Int
    /// Nil while it is stopped.
    private let running = Locked<RunningProgram?>(nil)
    private let directory: TemporaryDirectory
    /// They keep its ports: one that was merely free a moment ago may be somebody else's by now.
    private let reservations: [Descriptor]

    /// Returns when it listens.
    package init() async throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.path("www"), withIntermediateDirectories: true)
        reservations = try [LoopbackSocket.reserve(), LoopbackSocket.reserve()]
        port = try LoopbackSocket.port(of: reservations[0])
        securePort = try LoopbackSocket.port(of: reservations[1])
        let text = Self.configuration(
            directory.path, port: port, securePort: securePort, authority: try await TestAuthority.shared())
        try text.write(toFile: directory.path("nginx.conf"), atomically: true, encoding: .utf8)
        try await start()
    }

    /// Serves again after `stop`, at the same ports. Returns when it listens.
    package func start() async throws {
        let program = try RunningProgram(
            "/usr/sbin/nginx",
            ["-p", directory.path, "-c", directory.path("nginx.conf"), "-e", directory.path("error.log")])
        running.withLock { $0 = program }
        // Polled: nginx tells nobody when it listens.
        let ports = [port, securePort]
        guard await eventually({ program.end != nil || ports.allSatisfy(LoopbackSocket.answers) }), program.end == nil
        else { throw Tool.Failure(description: "nginx did not start: \(program.errors)") }
    }

    /// Ends it: its connections are closed and new ones refused, until `start`. Returns when it is gone.
    package func stop() async throws {
        let program = running.withLock { $0.take() }
        program?.send(signal: SIGKILL)
        _ = try await program?.waitForEnd()
    }

    /// `path` over plain HTTP/1.1.
    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// `path` over TLS, HTTP/2 for who speaks it.
    package func secureURL(_ path: String, host: String = "localhost") -> String {
        "https://\(host):\(securePort)\(path)"
    }

    /// Does nothing from now on, with all connections open, until `resume`.
    package func freeze() { running.withLock { $0?.send(signal: SIGSTOP) } }
    package func resume() { running.withLock { $0?.send(signal: SIGCONT) } }

    /// Serves these bytes at `path`.
    package func serve(_ bytes: [UInt8], at path: String) throws {
        let file = URL(fileURLWithPath: directory.path("www") + path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// All requests that have been answered, in the order in which their answers ended. A line may be a moment late.
    package func requests() throws -> [Request] {
        let log = try String(contentsOfFile: directory.path("access.log"), encoding: .utf8)
        return log.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 7, let connection = Int(words[0]), let status = Int(words[2]),
                let received = Int(words[5]), let sent = Int(words[6])
            else { return nil }
            return Request(
                path: words[3], status: status, connection: connection, version: words[1], token: words[4],
                bytes: received + sent)
        }
    }

    /// Those for `path`.
    package func requests(_ path: String) throws -> [Request] {
        try requests().filter { $0.path == path }
    }

    private static func configuration(
        _ directory: String, port: Int, securePort: Int, authority: TestAuthority
    ) -> String {
        """
        daemon off;
        # One process: nothing is left behind, and as root it reads what root reads.
        master_process off;
        pid \(directory)/nginx.pid;
        events { worker_connections 1024; }
        http {
            log_format requests '$connection $server_protocol $status $uri $http_x_token '
                '$request_length $bytes_sent';
            access_log \(directory)/access.log requests;
            client_body_temp_path \(directory)/temporary;
            proxy_temp_path \(directory)/temporary;
            fastcgi_temp_path \(directory)/temporary;
            uwsgi_temp_path \(directory)/temporary;
            scgi_temp_path \(directory)/temporary;
            keepalive_requests 100000;
            root \(directory)/www;
            types { image/jpeg jpg; image/png png; }
            server {
                listen 127.0.0.1:\(port) backlog=1024 reuseport;
                # What has just been written would else be fresh for a second alone.
                location /load/ { expires 1d; }
            }
            server {
                listen 127.0.0.1:\(securePort) ssl http2 reuseport;
                ssl_certificate \(authority.serverCertificateFile);
                ssl_certificate_key \(authority.serverKeyFile);
                # /redirect?to=URL leads to that URL, as it stands there.
                location = /redirect { return 302 $arg_to; }
            }
        }
        """
    }
}
