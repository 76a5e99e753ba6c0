import ControlAPI
import Foundation
import JSON
import TestSupport
import Testing

@Suite("What the socket refuses", .timeLimit(.minutes(1)))
struct RefusalTests {
    let served: ServedSocket

    init() throws {
        served = try ServedSocket()
    }

    @Test(
        "Local Host headers are let through",
        arguments: [
            ["Host: localhost"], ["Host: localhost:80"], ["host: LocalHost:65535"], ["Host:"], [],
            ["Host: localhost:"], ["Host: localhost "], ["Host:\tlocalhost:80\t "], ["Host: "],
        ])
    func localHosts(headers: [String]) async throws {
        #expect(try await served.status("GET /healthz HTTP/1.1", headers: headers) == 200)
    }

    @Test(
        "Whatever speaks for a web page is refused",
        arguments: [
            ["Host: evil.example"], ["Host: localhost.evil.example"], ["Host: localhost:80:80"],
            ["Host: localhost:99999"], ["Host: localhost@evil"], ["Host: 127.0.0.1"],
            ["Host: localhost", "Host: localhost"], ["Host: localhost", "Host: evil"], ["Host: localhost, evil"],
            ["Host: localhost", "Origin: null"], ["Host: localhost", "Origin: http://localhost"],
            ["Host: localhost", "origin:"], ["Host: localhost", "Referer: http://localhost/"],
        ])
    func foreignHeaders(headers: [String]) async throws {
        #expect(try await served.status("GET /healthz HTTP/1.1", headers: headers) == 403)
    }

    @Test(
        "A header's name with white space is refused",
        arguments: ["Host : evil", "Host\t: localhost", "Origin : http://evil", "X y: z"])
    func misspelledHeaders(header: String) async throws {
        #expect(try await served.status("GET /healthz HTTP/1.1", headers: ["Host: localhost", header]) == 400)
    }

    @Test(
        "A header folded over two lines is no way around the rules",
        arguments: [
            "Host: evil", "host: localhost", "Host:", "Origin: evil", "ORIGIN:", "Referer: http://evil/",
            "Content-Length: 53", "Transfer-Encoding: chunked", "Content-Encoding: gzip",
            "Content-Type: application/json", "Expect: 100-continue",
        ], ["x", "x\r\n y", ":80"])
    func foldedHeaders(header: String, rest: String) async throws {
        let name = header.prefix { $0 != ":" }
        for others in [[], ["Host: localhost"], ["Host: localhost", "\(name): "]] {
            let lines = ["GET /healthz HTTP/1.1"] + others + ["\(header)\r\n \(rest)", "", ""]
            let answer = try await served.exchange(
                lines.joined(separator: "\r\n")
                    + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(lines)")
        }
    }

    @Test(
        "A body that a folded header announces is not taken for a request",
        arguments: ["Content-Length: 52", "Transfer-Encoding: chunked"], ["", "x", "0"])
    func foldedFraming(header: String, rest: String) async throws {
        let answer = try await served.exchange(
            "POST /v1/evict HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n \(rest)\r\n\r\n"
                + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: 12345\r\n\r\n")
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
        #expect(!answer.contains("\"ok\""))
    }

    @Test(
        "A target that does not begin with a slash is refused",
        arguments: ["http://evil/healthz", "http://localhost/healthz", "localhost:80", "*", "healthz"])
    func targets(target: String) async throws {
        #expect(try await served.status("GET \(target) HTTP/1.1") == 403)
    }

    @Test(
        "No such path",
        arguments: [
            "/", "//", "/v1", "/v1/status/", "//v1/status", "/v1//status", "/V1/status", "/v1/stories/",
            "/v1/stories/a/b",
            "/v1/status%00", "/v1/%ff", "/v1/stories/%zz", "/healthz/../v1/status", "/%2e%2e",
        ])
    func unknownPaths(path: String) async throws {
        #expect(try await served.status("GET \(path) HTTP/1.1") == 404)
    }

    @Test(
        "A method that the path does not have is refused, with those that it has",
        arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW", "get"])
    func methods(method: String) async throws {
        let head = try await served.head(
            "\(method) /v1/status HTTP/1.1", headers: ["Host: localhost", "Content-Length: 0"])
        #expect(head[0] == "HTTP/1.1 405 Method Not Allowed")
        #expect(head.contains("Allow: GET, HEAD"))
    }

    @Test(
        "Query values out of bounds are refused",
        arguments: [
            "limit=0", "limit=1001", "limit=", "limit", "limit=1e2", "limit=%31%20", "limit=99999999999999999999",
            "state=", "state=READY", "state=cached", "group=.hidden", "group=a%2Fb", "group=%C3%A4", "limit=1&limit=1",
            "limit=1&Limit=2", "unknown=1", "=1", "state=%zz", "state=%ff",
            "group=" + String(repeating: "g", count: 129),
        ])
    func queries(query: String) async throws {
        let text = try await served.curl("http://localhost/v1/stories?\(query)")
        let error = try APIError(status: 400, json: JSONParser.parse(text).objectValue ?? [:])
        #expect(error.code == "bad_request")
    }

    @Test("An unknown query parameter is told which ones there are")
    func unknownParameter() async throws {
        let text = try await served.curl("http://localhost/v1/stories?page=2")
        #expect(text.contains("unknown query parameter 'page'; /v1/stories takes group, state, limit, after"))
    }

    @Test(
        "Query values at their bounds are taken",
        arguments: [
            "", "limit=1", "limit=1000", "limit=%31", "state=fallback", "group=a", "group=",
            "group=" + String(repeating: "g", count: 128),
        ])
    func goodQueries(query: String) async throws {
        #expect(try await served.status("GET /v1/stories?\(query) HTTP/1.1") == 200)
    }

    @Test(
        "A name that holds what no name does is that of no story",
        arguments: ["a%00b", "%00a", "a%0d%0ab", "%20a", "a%2Fb", "..", "%2e%2e"])
    func oddNames(name: String) async throws {
        #expect(try await served.status("GET /v1/stories/\(name) HTTP/1.1") == 404)
        #expect(try await served.status("GET /v1/stories/\(name)/pages/0/image HTTP/1.1") == 404)
    }

    @Test(
        "Every route says in the form of errors what is wrong with a method, a query or a body",
        arguments: Route.all.map { "\($0.method) \($0.path)" })
    func everyRoute(line: String) async throws {
        let route = try #require(Route.all.first { "\($0.method) \($0.path)" == line })
        let path = route.path.replacingOccurrences(of: "{id}", with: "a").replacingOccurrences(of: "{page}", with: "0")
        func expect(_ status: Int, _ line: String, _ headers: [String] = [], body: String = "") async throws {
            let lines = ["\(line) HTTP/1.1", "Host: localhost"] + headers + ["Connection: close", "", body]
            let answer = try await served.exchange(lines.joined(separator: "\r\n"))
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(line)")
            #expect(answer.contains("\r\nContent-Type: application/json\r\n"))
            let text = answer.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
            #expect(try APIError(status: status, json: JSONParser.parse(text).objectValue ?? [:]).status == status)
        }
        try await expect(405, "PATCH \(path)")
        if route.body == nil {
            try await expect(400, "\(route.method) \(path)?nonsense=1")
            try await expect(413, "\(route.method) \(path)", ["Content-Length: 1"], body: "x")
            try await expect(413, "\(route.method) \(path)", ["Transfer-Encoding: chunked"])
        } else {
            let json = "Content-Type: application/json"
            try await expect(400, "\(route.method) \(path)?nonsense=1", [json, "Content-Length: 2"], body: "{}")
            try await expect(411, "\(route.method) \(path)", [json, "Transfer-Encoding: chunked"])
            try await expect(413, "\(route.method) \(path)", [json, "Content-Length: 1000000000"])
            try await expect(415, "\(route.method) \(path)", ["Content-Length: 2"], body: "{}")
        }
    }

    @Test("A body that nobody asked for is refused before it is sent")
    func body() async throws {
        let answer = try await served.exchange(
            "GET /v1/status HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 413"))
        #expect(answer.contains("\"code\":\"too_large\""))
    }

    @Test(
        "Who sends a refused body of modest size after its head has the answer, and not a broken connection",
        arguments: [
            (415, "POST /v1/stories", 3000), (413, "DELETE /v1/stories/a", 1), (403, "POST /v1/evict", 20),
            (413, "POST /v1/stories", 100_001), (413, "POST /v1/evict", 524_288), (404, "PUT /v1/nothing", 400_000),
        ])
    func bodyAfterHead(status: Int, line: String, size: Int) async throws {
        let path = served.path
        let origin = status == 403 ? "Origin: http://evil\r\n" : ""
        let answer = try await offPool {
            let client = try RawClient(path)
            try client.send(
                "\(line) HTTP/1.1\r\nHost: localhost\r\n\(origin)Content-Length: \(size)\r\n\r\n")
            // The server has had its time to refuse once it has served another.
            let other = try RawClient(path)
            try other.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try other.receive(until: "\r\n\r\n")
            for sent in stride(from: 0, to: size, by: 1000) {
                try client.send(String(repeating: "x", count: min(1000, size - sent)))
            }
            return try client.receiveAll()
        }
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains(#""error""#))
    }

    @Test(
        "A large body, or one that waits to be asked for, is refused at once",
        arguments: ["Content-Length: 524289", "Content-Length: 2000\r\nExpect: 100-continue"])
    func refusedAtOnce(headers: String) async throws {
        let answer = try await served.exchange(
            "POST /v1/stories HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 4") && !answer.contains("100 Continue"))
    }

    @Test(
        "A body is never taken for another request",
        arguments: ["GET", "POST", "DELETE"], ["Content-Length: 52", "Transfer-Encoding: chunked"])
    func smuggledRequest(method: String, framing: String) async throws {
        let answer = try await served.exchange(
            "\(method) /v1/status HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\n\r\n"
                + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: 12345\r\n\r\n")
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
        #expect(!answer.contains("\"ok\""))
    }

    @Test("Headers without end are cut off, and others served")
    func endlessHeaders() async throws {
        let answer = try await served.exchange(
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 40_000))")
        #expect(answer.hasPrefix("HTTP/1.1 431") || answer.hasPrefix("HTTP/1.1 413"))
        #expect(try await served.send(.health).isSuccess)
    }
}
