import ControlAPI
import Foundation
import JSON
import Stories
import TestOrigins
import TestSupport
import Testing

/// What the socket answers, held against `config/openapi.yaml` by validators that know nothing of this code.
struct OpenAPITests {
    /// What curl is answered, with the route that it asked by.
    private func ask(
        _ place: DaemonPlace, _ endpoint: Route.Endpoint, _ target: String, _ arguments: String...
    ) async throws -> (status: Int, answer: APIDescription.Answer) {
        let route = try #require(Route.all.first { $0.endpoint == endpoint })
        let file = place.path("answer")
        let program = try await RunningProgram.run(
            "/usr/bin/curl",
            ["--silent", "--max-time", "20", "--unix-socket", place.socket, "--output", file, "--path-as-is"]
                + ["--write-out", "%{http_code} %{content_type}", "--request", route.method] + arguments
                + ["http://localhost\(target)"])
        let words = String(decoding: program.output, as: UTF8.self).split(separator: " ", maxSplits: 1)
        let status = try #require(words.first.flatMap { Int($0) })
        return (
            status,
            APIDescription.Answer(
                route, status: status, contentType: words.last.map(String.init) ?? "", body: try FileBytes.read(file))
        )
    }

    private static let json = "Content-Type: application/json"

    @Test func `who waits for a story that is removed meanwhile is told so`() async throws {
        let origin = try ScriptedOrigin()
        origin.script("/hangs", ScriptedAnswer(.stall))
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place)
        try FileBytes.put(Payloads.story("gone", images: [origin.url("/hangs")]), at: place.path("body"))
        async let waiting = ask(
            place, .accept, "/v1/stories?wait=20", "--header", Self.json, "--data-binary", "@\(place.path("body"))")
        try await daemon.wait("it is accepted") { try daemon.status().stories.prefetching == 1 }
        #expect(try daemon.answer(.delete(id: "gone", group: nil)).status == 200)
        let (status, answer) = try await waiting
        #expect(status == 404)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("story gone was removed while it was waited for"))
        #expect(try await APIDescription.problems([answer]) == [[]])
    }

    @Test func `every route answers as it is described, when all is well and when it is not`() async throws {
        let origin = try ScriptedOrigin()
        for path in ["/a?token=secret", "/b"] { origin.script(path, .ok(SampleImages.png(seed: path.count))) }
        let place = try DaemonPlace()
        try place.provision("shop")
        let daemon = try await DaemonProcess.ready(place)
        var answers: [APIDescription.Answer] = []
        func file(_ body: String) throws -> String {
            try FileBytes.put(Array(body.utf8), at: place.path("body"))
            return "@\(place.path("body"))"
        }
        func expect(
            _ status: Int, _ endpoint: Route.Endpoint, _ target: String, body: String? = nil,
            _ location: SourceLocation = #_sourceLocation
        ) async throws {
            let (found, answer) =
                if let body {
                    try await ask(place, endpoint, target, "--header", Self.json, "--data-binary", try file(body))
                } else { try await ask(place, endpoint, target) }
            #expect(found == status, "\(target)", sourceLocation: location)
            answers.append(answer)
        }
        let pages = ["/a?token=secret", "/b"].map { #"{"image": "\#(origin.url($0))"}"# }.joined(separator: ",")
        let story = #"{"p": "a", "aps": {"alert": "Hello"}, "pw_stories": {"pages": [\#(pages), {}]}}"#
        try await expect(200, .accept, "/v1/stories?group=shop&wait=20", body: story)
        try await expect(202, .accept, "/v1/stories?group=elsewhere", body: story)
        let two = #"{"request": {"notifications": [{"content": "1"}, {"content": "2"}]}}"#
        try await expect(202, .accept, "/v1/stories", body: two)
        try await expect(200, .accept, "/v1/stories?wait=20", body: two)
        _ = try await daemon.settled("a", group: "elsewhere")
        try await expect(400, .accept, "/v1/stories", body: "[]")
        try await expect(413, .accept, "/v1/stories", body: String(repeating: " ", count: 300_000))
        try await expect(200, .status, "/v1/status")
        try await expect(413, .status, "/v1/status", body: "{}")
        try await expect(200, .groups, "/v1/groups")
        try await expect(201, .provision, "/v1/groups", body: #"{"id": "new"}"#)
        try await expect(200, .provision, "/v1/groups", body: #"{"id": "new"}"#)
        try await expect(400, .provision, "/v1/groups", body: #"{"id": "../new"}"#)
        try await expect(200, .stories, "/v1/stories?limit=2")
        try await expect(400, .stories, "/v1/stories?limit=0")
        try await expect(200, .story, "/v1/stories/a?group=shop")
        try await expect(409, .story, "/v1/stories/a")
        try await expect(404, .story, "/v1/stories/a%00b")
        try await expect(200, .image, "/v1/stories/a/pages/0/image?group=shop")
        try await expect(404, .image, "/v1/stories/a/pages/2/image?group=shop")
        try await expect(400, .image, "/v1/stories/a/pages/x/image?group=shop")
        let url = PercentEncoding.encode(origin.url("/a?token=secret"))
        try await expect(200, .media, "/v1/media?url=\(url)")
        try await expect(200, .media, "/v1/media?url=https%3A%2F%2Fexample.com%2Fnone.png")
        try await expect(400, .media, "/v1/media?url=ftp%3A%2F%2Fexample.com%2F%3Ftoken=secret")
        try await expect(200, .verify, "/v1/verify")
        try await expect(400, .evict, "/v1/evict", body: "{}")
        try await expect(200, .evict, "/v1/evict", body: #"{"older_than_seconds": 86400}"#)
        try await expect(200, .delete, "/v1/stories/a?group=shop")
        try await expect(404, .delete, "/v1/stories/a?group=shop")
        try await expect(200, .evict, "/v1/evict", body: #"{"to_bytes": 0}"#)
        try await expect(200, .configuration, "/v1/config")
        try await expect(200, .health, "/healthz")
        try await expect(200, .metrics, "/metrics")
        #expect(try await APIDescription.problems(answers) == answers.map { _ in [] })
        #expect(try place.stories("elsewhere") == [])
        #expect(!daemon.log.contains("secret"))
    }

    @Test func `what the cache knows of a URL is told, and one flipped bit is found and mended`() async throws {
        let origin = try ScriptedOrigin()
        origin.script(
            "/a",
            .ok(SampleImages.png(), headers: ["Content-Type: image/png", "Cache-Control: max-age=60", "ETag: \"1\""]))
        let place = try DaemonPlace()
        try place.provision("shop")
        let daemon = try await DaemonProcess.ready(place, ["cache.ignore_query_parameters=[\"utm_*\"]"])
        try place.drop("a.json", Payloads.story("a", images: [origin.url("/a")]), group: "shop")
        let manifest = try await daemon.settled("a", group: "shop")
        let image = try #require(manifest.pages.first?.state.image)
        func media() async throws -> MediaReport {
            let url = PercentEncoding.encode(origin.url("/a?utm_source=push#x"))
            let body = try await ask(place, .media, "/v1/media?url=\(url)").answer.body
            return try MediaReport(json: try #require(try JSONParser.parse(body).objectValue))
        }
        let known = try await media()
        #expect(known.url == origin.url("/a") && known.state == .fresh && known.etag == "\"1\"")
        #expect(known.object?.file == image.file && known.object?.bytes == image.bytes)
        #expect(known.groups == ["shop"] && known.stories == [MediaReport.Holder(id: "a", group: "shop")])

        let path = "\(place.cache("shop"))/\(image.file)"
        var bytes = try FileBytes.read(path)
        bytes[bytes.count / 2] ^= 1
        try FileBytes.put(bytes, at: path)
        let verified = try await ask(place, .verify, "/v1/verify").answer.body
        #expect(String(decoding: verified, as: UTF8.self) == #"{"checked":1,"corrupt":1,"repaired":1}"# + "\n")
        #expect(try daemon.status().cache.corrupt == 1)
        #expect(origin.requests.count == 2)
        try await expectSound(place, group: "shop")
        #expect(try await media().state == .fresh)
    }
}
