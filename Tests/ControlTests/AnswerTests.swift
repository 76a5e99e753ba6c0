import ControlAPI
import Foundation
import JSON
import Testing

@Suite("What the socket answers", .timeLimit(.minutes(1)))
struct AnswerTests {
    let served: ServedSocket

    init() throws {
        served = try ServedSocket()
    }

    @Test("The status comes through the client as the daemon made it")
    func status() async throws {
        let response = try await served.send(.status)
        #expect(response.status == 200)
        #expect(try response.decoded(StatusReport.init(json:)) == FakeService.report)
    }

    @Test("The status has its members in the documented order")
    func statusOrder() async throws {
        let object = try await served.send(.status).object()
        #expect(
            object.keys == [
                "version", "pid", "uptime_seconds", "state", "problems", "inbox", "stories", "transfers", "cache",
                "groups",
            ])
        #expect(
            try object.object("cache").keys == [
                "objects", "bytes", "max_bytes", "hits", "misses", "revalidated", "coalesced", "deduplicated",
                "evicted", "corrupt",
            ])
    }

    @Test("curl gets JSON, and says so itself")
    func curl() async throws {
        let output = try await served.curl("--write-out", "%{http_code} %{content_type}", "http://localhost/healthz")
        #expect(output == "{\"status\":\"ok\"}\n200 application/json")
    }

    @Test("What is known of a URL comes with all its members, and is asked for by one")
    func media() async throws {
        let text = try await served.curl("--get", "--data-urlencode", "url=http://a/a.png", "http://localhost/v1/media")
        let object = try #require(try JSONParser.parse(text).objectValue)
        #expect(
            object.keys == [
                "url", "state", "object", "groups", "etag", "last_modified", "obtained_at", "fresh_until", "stories",
            ])
        #expect(try MediaReport(json: object) == FakeService.media)
        #expect(try await served.status("GET /v1/media HTTP/1.1") == 400)
        #expect(try await served.status("GET /v1/media?url=ftp:a HTTP/1.1") == 400)
        #expect(try await served.status("HEAD /v1/media?url=http:%2F%2Fa HTTP/1.1") == 200)
    }

    @Test(
        "HEAD is answered as GET is, without the body",
        arguments: Route.all.filter { $0.method == "GET" && $0.endpoint != .events }.map(\.path))
    func head(path: String) async throws {
        let target = path.replacingOccurrences(of: "{id}", with: "a").replacingOccurrences(of: "{page}", with: "0")
            .replacingOccurrences(of: "/media", with: "/media?url=http:%2F%2Fa")
        func lines(_ method: String) async throws -> Set<String> {
            Set(try await served.head("\(method) \(target) HTTP/1.1").filter { !$0.hasPrefix("Date:") })
        }
        #expect(try await lines("HEAD") == lines("GET"))
        let answer = try await served.exchange(
            "HEAD \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(answer.hasSuffix("\r\n\r\n") && answer.components(separatedBy: "\r\n\r\n").count == 2)
    }

    @Test("Metrics are text of the version that is said")
    func metrics() async throws {
        let output = try await served.curl("--write-out", "%{http_code} %{content_type}", "http://localhost/metrics")
        #expect(output == "storiesd_a 1\n200 text/plain; version=0.0.4; charset=utf-8")
    }

    @Test("Stories are listed, page after page")
    func pages() async throws {
        let first = try await served.send(.stories(StoryQuery(limit: 3))).decoded(StoryPage.init(json:))
        #expect(first == StoryPage(stories: Array(FakeService.stories[..<3]), next: "3"))
        let second = try await served.send(.stories(StoryQuery(limit: 3, after: first.next)))
            .decoded(StoryPage.init(json:))
        #expect(second == StoryPage(stories: Array(FakeService.stories[3...]), next: nil))
    }

    @Test("Stories without a group are asked for by the empty group")
    func withoutGroup() async throws {
        let page = try await served.send(.stories(StoryQuery(group: ""))).decoded(StoryPage.init(json:))
        #expect(page.stories.map(\.id) == ["a"])
    }

    @Test("A cursor that the daemon did not make is refused in its words")
    func badCursor() async throws {
        let response = try await served.send(.stories(StoryQuery(after: "x&y=ü")))
        #expect(throws: ControlClientError.refused(.badRequest("after: not a cursor of this daemon"))) {
            try response.object()
        }
    }

    @Test("A manifest comes byte for byte")
    func manifest() async throws {
        #expect(try await served.send(.story(id: "a", group: nil)).body == FakeService.manifest)
    }

    @Test("A story that several groups have needs a group")
    func conflict() async throws {
        #expect(try await served.send(.story(id: "twice", group: nil)).status == 409)
        #expect(try await served.send(.story(id: "twice", group: "g")).status == 200)
    }

    @Test(
        "An id of any form reaches the daemon whole, and is unknown",
        arguments: ["../status", "..", "a/b", "a%2Fb", "ä ö", "%00", "a\0b", "?", "#", "\n", "💥"])
    func oddIDs(id: String) async throws {
        let response = try await served.send(.story(id: id, group: nil))
        #expect(throws: ControlClientError.refused(.notFound("no story '\(id)'"))) { try response.object() }
    }

    @Test("HEAD is GET without the body")
    func head() async throws {
        let answer = try await served.exchange("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200"))
        #expect(answer.contains("Content-Length: 16\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test(
        "A daemon that works says so with 200, one that starts or stops with 503",
        arguments: [Health.ok, .degraded, .starting, .stopping])
    func health(health: Health) async throws {
        let served = try ServedSocket(FakeService(reportedHealth: health))
        let response = try await served.send(.health)
        #expect(response.status == (health == .ok || health == .degraded ? 200 : 503))
        #expect(response.body == Array("{\"status\":\"\(health.rawValue)\"}\n".utf8))
    }
}
