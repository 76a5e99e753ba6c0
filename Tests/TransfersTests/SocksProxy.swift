import Glibc
import Platform
import TestOrigins

/// A SOCKS 5 proxy (RFC 1928) on a loopback port that connects nowhere: it takes note of where each connection was to
/// lead, and then plays the origin itself, with one answer to whatever is asked. One connection at a time.
final class SocksProxy: Sendable {
    /// The port it listens on, at 127.0.0.1.
    let port: Int
    private let listener: Descriptor
    private let asked = Asked()

    init(answer: [UInt8]) throws {
        let listener = try LoopbackSocket.listen()
        self.listener = listener
        port = try LoopbackSocket.port(of: listener)
        try Thread(name: "socks") { [asked] in
            while true {
                let raw = accept(listener.raw, nil, nil)
                guard raw >= 0 else { return }
                Self.serve(Descriptor(owning: raw), answer, asked)
            }
        }.detach()
    }

    deinit {
        // Ends the accept(2) that its thread is in.
        shutdown(listener.raw, Int32(SHUT_RDWR))
    }

    /// The targets, in order: names as they came, addresses as `[type]`.
    var targets: [String] { asked.hosts }

    private static func serve(_ socket: Descriptor, _ answer: [UInt8], _ asked: Asked) {
        // The greeting: version, and the ways to authenticate; 0 is none.
        guard let greeting = read(2, from: socket), read(Int(greeting[1]), from: socket) != nil,
            send([5, 0], to: socket),
            // The request: version, CONNECT, 0, the type of the address; 3 is a name after its length.
            let request = read(4, from: socket)
        else { return }
        guard request[3] == 3 else {
            asked.count("[\(request[3])]")
            return
        }
        guard let length = read(1, from: socket), let name = read(Int(length[0]), from: socket),
            read(2, from: socket) != nil
        else { return }
        asked.count(String(decoding: name, as: UTF8.self))
        guard send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0], to: socket) else { return }
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = read(1, from: socket) else { return }
            head += byte
        }
        _ = send(answer, to: socket)
    }

    /// So many bytes; nil where the connection ends before.
    private static func read(_ count: Int, from socket: Descriptor) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard recv(socket.raw, &bytes, count, Int32(MSG_WAITALL)) == count else { return nil }
        return bytes
    }

    private static func send(_ bytes: [UInt8], to socket: Descriptor) -> Bool {
        Glibc.send(socket.raw, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}
