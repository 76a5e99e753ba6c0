import Glibc
import Platform

/// One connection of a scripted origin: reads requests and plays their answers. Runs on its own thread.
struct ScriptedConnection {
    private let socket: Descriptor
    private let number: Int
    private let play: ScriptedPlay

    init(_ socket: Descriptor, _ number: Int, _ play: ScriptedPlay) {
        self.socket = socket
        self.number = number
        self.play = play
        _ = fcntl(socket.raw, F_SETFL, O_NONBLOCK)
        var on: Int32 = 1
        setsockopt(socket.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns when the connection is over.
    func serve() {
        while let request = readRequest() {
            for step in play.answer(request).steps {
                guard perform(step) else { return }
            }
        }
    }

    /// False where the connection is over.
    private func perform(_ step: ScriptedAnswer.Step) -> Bool {
        switch step {
        case .bytes(let bytes):
            return send(bytes)
        case .wait(let gate):
            return play.wait(for: gate, socket: socket.raw)
        case .open(let gate):
            gate.open()
            return true
        case .stall:
            _ = play.wait(for: socket.raw, events: POLLIN)
            return false
        case .drip(let bytes, let pause):
            for byte in bytes {
                guard send([byte]), !play.wait(for: socket.raw, events: POLLIN, timeout: pause) else { return false }
            }
            return true
        case .endless(let bytes):
            while send(bytes) {}
            return false
        case .close:
            return false
        case .reset:
            // close(2) of a socket that lingers for no time sends RST, socket(7).
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket.raw, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            return false
        }
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { piece in
                Glibc.send(socket.raw, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                play.sent(count)
                rest = rest.dropFirst(count)
            } else if errno != EAGAIN || !play.wait(for: socket.raw, events: POLLOUT) {
                return false
            }
        }
        return true
    }

    /// The next request's head; nil where there is none any more.
    private func readRequest() -> ScriptedOrigin.Request? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        let end = Array("\r\n\r\n".utf8)
        while !head.suffix(4).elementsEqual(end) {
            let count = recv(socket.raw, &byte, 1, 0)
            if count == 1 {
                head.append(byte)
            } else if count == 0 || errno != EAGAIN || !play.wait(for: socket.raw, events: POLLIN) {
                return nil
            }
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        return ScriptedOrigin.Request(
            method: words[0], target: words[1], headers: Array(lines.dropFirst()), connection: number)
    }
}
