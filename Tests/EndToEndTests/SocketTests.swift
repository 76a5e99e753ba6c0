import ControlAPI
import Glibc
import JSON
import Platform
import Stories
import TestSupport
import Testing

/// Clients that want the daemon's memory, its descriptors or its time; and many stories at once.
@Suite(.timeLimit(.minutes(5))) struct SocketTests {
    /// Holds the daemon to its memory and its descriptors, and to answering another client, while `attack` goes on: it is
    /// called before each question, and stops when its clients are let go of.
    private func expectUnmoved(
        _ location: SourceLocation = #_sourceLocation, by attack: (DaemonPlace) throws -> () throws -> Void
    ) async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        for _ in 0..<20 { _ = try daemon.status() }
        let before = try daemon.residentMemory()
        let descriptors = try daemon.openDescriptors().count
        try {
            let goOn = try attack(place)
            var longest = Duration.zero
            for _ in 0..<300 {
                try goOn()
                let start = SuspendingClock.now
                #expect(try daemon.answer(.status).status == 200, sourceLocation: location)
                longest = max(longest, start.duration(to: .now))
            }
            #expect(longest < patience(.seconds(1)), sourceLocation: location)
            let grown = try daemon.peakMemory() - before
            if !isSanitized { #expect(grown < 16 << 20, sourceLocation: location) }
        }()
        try await daemon.wait("the descriptors are closed") {
            try daemon.openDescriptors().count <= descriptors
        }
        #expect(try await daemon.terminate() == .exited(0), sourceLocation: location)
    }

    /// Sends `text` as far as the socket takes it, and again from the start.
    private final class Stream {
        let client: RawClient
        private let bytes: [UInt8]
        private var sent = 0
        private(set) var isClosed = false

        init(_ place: DaemonPlace, head: String = "", repeating text: String) throws {
            client = try RawClient(place.socket)
            if !head.isEmpty { try client.send(head) }
            bytes = Array(text.utf8)
        }

        /// At most a megabyte more.
        func goOn() throws {
            var rest = 1 << 20
            while !isClosed, rest > 0 {
                let start = sent % bytes.count
                guard let count = try client.push(bytes[start..<min(bytes.count, start + rest)]) else {
                    isClosed = true
                    return
                }
                if count == 0 { return }
                sent += count
                rest -= count
            }
        }
    }

    @Test func `ten thousand requests in one go, and nothing is read`() async throws {
        try await expectUnmoved { place in
            let request = "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let stream = try Stream(place, repeating: String(repeating: request, count: 10_000))
            return { try stream.goOn() }
        }
    }

    @Test func `two thousand connections that ask nothing`() async throws {
        OpenFileLimit.raise()
        try await expectUnmoved { place in
            let clients = try (0..<2000).map { _ in try RawClient(place.socket) }
            return { withExtendedLifetime(clients) {} }
        }
    }

    @Test func `two hundred connections with half a head each`() async throws {
        try await expectUnmoved { place in
            let clients = try (0..<200).map { _ in try RawClient(place.socket) }
            for client in clients {
                try client.send(
                    "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 20_000))
            }
            return { withExtendedLifetime(clients) {} }
        }
    }

    @Test func `ten megabytes of headers, again and again`() async throws {
        let field = "X: \(String(repeating: "x", count: 1000))\r\n"
        try await expectUnmoved { place in
            var stream = try Stream(place, head: "GET /v1/status HTTP/1.1\r\n", repeating: field)
            return {
                try stream.goOn()
                if stream.isClosed {
                    stream = try Stream(place, head: "GET /v1/status HTTP/1.1\r\n", repeating: field)
                }
            }
        }
    }

    @Test(arguments: [1_000_000_000, 16 << 20])
    func `a body of a gigabyte, announced and sent, and one of what a route may take at most`(size: Int) async throws {
        let head =
            "POST /v1/stories HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(size)\r\n\r\n"
        try await expectUnmoved { place in
            var streams = try (0..<16).map { _ in
                try Stream(place, head: head, repeating: String(repeating: " ", count: 65_536))
            }
            return {
                for index in streams.indices {
                    try streams[index].goOn()
                    if streams[index].isClosed {
                        streams[index] = try Stream(
                            place, head: head, repeating: String(repeating: " ", count: 65_536))
                    }
                }
            }
        }
    }

    @Test func `ten thousand stories are listed by pages of a thousand, each exactly once, newest first`() async throws
    {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        for part in 0..<2 {
            let list = (0..<5000).map { #"{"content": "\#(part)-\#($0)"}"# }.joined(separator: ",")
            try place.drop("\(part).json", Array(#"{"request": {"notifications": [\#(list)]}}"#.utf8))
        }
        try await daemon.wait("all are accepted", within: patience(.seconds(120))) {
            try daemon.status().stories.fallback == 10_000
        }
        var found: [StorySummary] = []
        var next: String?
        repeat {
            let query = StoryQuery(limit: 1000, after: next)
            let page = try daemon.answer(.stories(query)).decoded { object throws(JSONFieldError) in
                try StoryPage(json: object)
            }
            #expect(page.stories.count == 1000)
            found += page.stories
            next = page.next
        } while next != nil && found.count <= 10_000
        #expect(found.count == 10_000)
        #expect(Set(found.map(\.id)).count == 10_000)
        #expect(found.map(\.receivedAt) == found.map(\.receivedAt).sorted(by: >))
    }
}
