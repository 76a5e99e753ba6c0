import ControlAPI
import ControlServer
import Foundation
import JSON
import Platform
import TestSupport
import Testing

@Suite("What changes things over the socket", .timeLimit(.minutes(1)))
struct ChangingTests {
    private let post = ["Host: localhost", "Content-Type: application/json"]

    private func status(_ served: ServedSocket, _ head: String, _ body: String, _ headers: [String]? = nil)
        async throws -> Int?
    {
        let lines =
            [head] + (headers ?? post + ["Content-Length: \(body.utf8.count)"]) + ["Connection: close", "", body]
        let answer = try await served.exchange(lines.joined(separator: "\r\n"))
        return answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    @Test("A story is handed in, waited for, and removed")
    func story() async throws {
        let served = try ServedSocket()
        #expect(
            try await served.curl("--json", "one", "http://localhost/v1/stories?group=g")
                == #"{"id":"one","group":"g","manifest":"/stories/one/manifest.json"}"# + "\n")
        #expect(
            try await served.curl("--json", "one two", "http://localhost/v1/stories").hasPrefix(
                #"{"stories":[{"id":"one""#))
        #expect(try await served.curl("--json", "one", "http://localhost/v1/stories?wait=5") == #"{"id": "one"}"#)
        #expect(try await status(served, "POST /v1/stories?wait=5 HTTP/1.1", "slow") == 202)
        #expect(try await status(served, "POST /v1/stories?wait=121 HTTP/1.1", "one") == 400)
        #expect(try await status(served, "DELETE /v1/stories/a HTTP/1.1", "", ["Host: localhost"]) == 200)
        #expect(try await status(served, "DELETE /v1/stories/b HTTP/1.1", "", ["Host: localhost"]) == 404)
    }

    @Test("A group is made, or is there")
    func group() async throws {
        let served = try ServedSocket()
        #expect(try await status(served, "POST /v1/groups HTTP/1.1", #"{"id": "new"}"#) == 201)
        #expect(try await status(served, "POST /v1/groups HTTP/1.1", #"{"id": "group.com.example.app"}"#) == 200)
        for body in [#"{"id": "bad group"}"#, #"{"id": 1}"#, "{}", "[]", "nonsense", #"{"id": "a", "b": 1}"#] {
            #expect(try await status(served, "POST /v1/groups HTTP/1.1", body) == 400, "\(body)")
        }
    }

    @Test("The cache is verified, and things are removed from it")
    func upkeep() async throws {
        let served = try ServedSocket()
        #expect(
            try await served.curl("--request", "POST", "http://localhost/v1/verify")
                == #"{"checked":12,"corrupt":2,"repaired":1}"# + "\n")
        #expect(
            try await served.curl("--json", #"{"to_bytes": 7}"#, "http://localhost/v1/evict")
                == #"{"stories":1,"objects":2,"bytes":7}"# + "\n")
        #expect(
            try await served.curl("--json", #"{"older_than_seconds": 86400.0}"#, "http://localhost/v1/evict")
                == #"{"stories":86400,"objects":0,"bytes":0}"# + "\n")
        for body in [
            "{}", "[]", "5", "nonsense", #"{"to_bytes": -1}"#, #"{"to_bytes": 1.5}"#, #"{"to_bytes": "1"}"#,
            #"{"to_bytes": 1e300}"#, #"{"to_bytes": true}"#, #"{"to_bytes": null}"#, #"{"bytes": 1}"#,
            #"{"to_bytes": 1, "older_than_seconds": 1}"#, #"{"older_than_seconds": 9007199254740993}"#,
        ] {
            #expect(try await status(served, "POST /v1/evict HTTP/1.1", body) == 400, "\(body)")
        }
    }

    @Test("A body must be announced, be of the right type, and not be too large")
    func bodies() async throws {
        let served = try ServedSocket(FakeService(payloadLimit: 10))
        let line = "POST /v1/stories HTTP/1.1"
        #expect(try await status(served, line, "", ["Host: localhost", "Transfer-Encoding: chunked"]) == 411)
        #expect(try await status(served, line, "", post) == 411)
        #expect(try await status(served, line, "one", ["Host: localhost", "Content-Length: 3"]) == 415)
        #expect(
            try await status(
                served, line, "one", ["Host: localhost", "Content-Type: text/plain", "Content-Length: 3"]) == 415)
        #expect(
            try await status(
                served, line, "one",
                ["Host: localhost", "Content-Type: application/json; charset=utf-8", "Content-Length: 3"]) == 202)
        #expect(try await status(served, line, "", post + ["Content-Length: 1000000000"]) == 413)
        #expect(try await status(served, line, "eleven of it") == 413)
    }

    @Test("Who may not is told so")
    func permissions() async throws {
        let reader = try ServedSocket(FakeService(permitted: [.read]))
        #expect(try await status(reader, "GET /v1/status HTTP/1.1", "", ["Host: localhost"]) == 200)
        #expect(try await status(reader, "DELETE /v1/stories/a HTTP/1.1", "", ["Host: localhost"]) == 403)
        #expect(try await status(reader, "POST /v1/stories HTTP/1.1", "one") == 403)
        let dropper = try ServedSocket(FakeService(permitted: [.read, .drop]))
        #expect(try await status(dropper, "POST /v1/stories HTTP/1.1", "one") == 202)
        #expect(try await status(dropper, "POST /v1/groups HTTP/1.1", #"{"id": "new"}"#) == 403)
    }

    @Test("A picture comes with its type, its length and its name")
    func image() async throws {
        let served = try ServedSocket()
        let head = try await served.head("GET /v1/stories/a/pages/0/image HTTP/1.1")
        #expect(head[0] == "HTTP/1.1 200 OK")
        #expect(Set(head).isSuperset(of: ["Content-Type: image/png", "Content-Length: 10000", "ETag: \"00ff\""]))
        #expect(try await served.status("GET /v1/stories/a/pages/1/image HTTP/1.1") == 404)
        #expect(try await served.status("GET /v1/stories/a/pages/99999999999999999999/image HTTP/1.1") == 404)
        let huge = try await served.curl("http://localhost/v1/stories/a/pages/9223372036854775808/image")
        #expect(huge.contains("story a has no page 9223372036854775808"))
        let nobody = try await served.curl("http://localhost/v1/stories/nobody/pages/9223372036854775808/image")
        #expect(nobody.contains("no story 'nobody'"))
        for page in ["x", "-1", "+0", "0x0", "1.0", "%200", "0%00"] {
            #expect(try await served.status("GET /v1/stories/a/pages/\(page)/image HTTP/1.1") == 400, "\(page)")
        }
    }

    @Test("Those who wait for their stories keep nobody from handing in more")
    func waiting() async throws {
        let (gate, arrived) = (ServiceGate(), Locked(0))
        let served = try ServedSocket(
            FakeService(beforeAcceptance: {
                arrived.withLock { $0 += 1 }
                await gate.pass()
            }))
        let line = "POST /v1/stories?wait=100 HTTP/1.1"
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<40 { group.addTask { try await status(served, line, "one") } }
            // More than may send their bodies at once.
            #expect(await eventually { arrived.withLock { $0 } == 40 })
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
    }
}
