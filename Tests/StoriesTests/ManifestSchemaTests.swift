import JSON
import Stories
import TestSupport
import Testing

/// The manifest and its published schema say the same.
struct ManifestSchemaTests {
    @Test func `manifests of every kind are valid`() async throws {
        let kinds = try ManifestKinds.all()
        let problems = try await SchemaValidator.problems(kinds.map { $0.manifest.serialized() })
        for (kind, problems) in zip(kinds, problems) { #expect(problems.isEmpty, "\(kind.name)") }
    }

    @Test func `every key is required, and no other is known`() async throws {
        let places: [(kind: String, path: [String])] = [
            ("ready", []), ("ready", ["alert"]), ("ready", ["pages", "0"]), ("failed", ["pages", "0", "error"]),
            ("mixed-bad-pages", ["skipped", "0"]),
        ]
        var broken: [(String, JSONObject)] = []
        for (name, path) in places {
            let whole = try kind(name).json
            for key in try #require(value(whole, at: path)?.objectValue).keys {
                broken.append(("without \(path + [key])", try changed(whole, at: path + [key], to: nil)))
            }
            broken.append(("more in \(path)", try changed(whole, at: path + ["more"], to: 1)))
        }
        try await expectRefused(broken)
    }

    @Test func `values of the wrong form are refused`() async throws {
        let whole = try ready().json
        let wrong: [([String], [JSONValue])] = [
            (["version"], [2, "1", nil]), (["revision"], [0, -1, 1.5, "1", nil]),
            (["id"], ["", ".", ".a", "a/b", "é", .string(String(repeating: "a", count: 81)), nil]),
            (["group"], ["", ".a", "a/b", .string(String(repeating: "a", count: 129)), 7]),
            (["group_fallback"], [nil, 1]), (["category"], [7]), (["state"], ["done", nil]), (["settled"], [nil, 1]),
            (["fallback_reason"], ["why", ""]),
            (["received_at"], [nil, "2026-01-02T03:04:05Z", "2026-13-02T03:04:05.678Z"]),
            (["updated_at"], [nil, 1_767_323_045]), (["alert"], [nil, "x"]), (["alert", "title"], [7]),
            (["pages"], [nil, [:], [7], [nil]]), (["skipped"], [nil, [7]]), (["user_info"], [nil, []]),
            (["pages", "0", "index"], [-1, nil]), (["pages", "0", "image_url"], [nil, "file:///x", "x"]),
            (["pages", "0", "duration"], [0, -1, 30.5, nil, "5"]),
            (["pages", "0", "link"], ["", "x", "JavaScript:x", "data:x", "file:x", "a:\n"]),
            (["pages", "0", "button_title"], ["", 7]), (["pages", "0", "title"], [""]),
            (["pages", "0", "subtitle"], [""]),
            (["pages", "0", "file"], [nil, "", "/etc/passwd", "objects/../x", "../objects/ab/x.jpg"]),
            (["pages", "0", "bytes"], [nil, 0, 1.5]), (["pages", "0", "media_type"], [nil, "text/html"]),
            (["pages", "0", "width"], [nil, 0]), (["pages", "0", "height"], [nil, 0]),
            (["pages", "0", "frames"], [nil, 0]),
            (["pages", "0", "xxh3_128"], [nil, "ab", .string(String(repeating: "A", count: 32))]),
            (["pages", "0", "source"], [nil, "disk"]), (["pages", "0", "attempts"], [nil, -1]),
            (["pages", "0", "error"], [["code": "dns", "message": "", "http_status": nil, "retry_at": nil]]),
        ]
        try await expectRefused(
            wrong.flatMap { path, values in
                try values.map { ("\(path) \($0.serialized())", try changed(whole, at: path, to: $0)) }
            })
    }

    @Test func `what contradicts itself is refused, by the schema and by the reader`() async throws {
        let ready = try ready().json
        let partial = try kind("partial").json
        let failed = try kind("failed").json
        let landing = try kind("landing").json
        let error = try #require(value(failed, at: ["pages", "0", "error"]))
        let fallback = try kind("no-block").json
        let skipped = try kind("mixed-bad-pages").json
        let broken: [(String, JSONObject)] = [
            ("ready, unsettled", try changed(ready, at: ["settled"], to: false)),
            ("ready, said to be partial", try changed(ready, at: ["state"], to: "partial")),
            ("ready, said to be failed", try changed(ready, at: ["state"], to: "failed")),
            ("ready, with a fallback", try changed(ready, at: ["fallback_reason"], to: "missing")),
            ("ready, without pages", try changed(ready, at: ["pages"], to: [])),
            ("ready, a fallback of no group", try changed(ready, at: ["group_fallback"], to: true)),
            ("partial, said to be ready", try changed(partial, at: ["state"], to: "ready")),
            ("partial, said to be failed", try changed(partial, at: ["state"], to: "failed")),
            ("failed, said to be partial", try changed(failed, at: ["state"], to: "partial")),
            ("failed, said to be ready", try changed(failed, at: ["state"], to: "ready")),
            ("failed, said to be prefetching", try changed(failed, at: ["state"], to: "prefetching")),
            ("failed page without an error", try changed(failed, at: ["pages", "0", "error"], to: .null)),
            ("failed page with a file", try changed(failed, at: ["pages", "0", "state"], to: "cached")),
            ("cached page with an error", try changed(partial, at: ["pages", "0", "state"], to: "cached")),
            ("an error beside the file", try changed(partial, at: ["pages", "1", "error"], to: error)),
            ("an unknown code", try changed(failed, at: ["pages", "0", "error", "code"], to: "bad_luck")),
            ("an unknown status", try changed(failed, at: ["pages", "0", "error", "http_status"], to: "503")),
            ("a retry at no time", try changed(failed, at: ["pages", "0", "error", "retry_at"], to: "soon")),
            ("landing, said to be settled", try changed(landing, at: ["settled"], to: true)),
            ("fallback without a reason", try changed(fallback, at: ["fallback_reason"], to: .null)),
            ("fallback, unsettled", try changed(fallback, at: ["settled"], to: false)),
            ("fallback, said to be failed", try changed(fallback, at: ["state"], to: "failed")),
            ("skipped for no known reason", try changed(skipped, at: ["skipped", "0", "code"], to: "ugly")),
        ]
        try await expectRefused(broken)
        for (name, json) in broken {
            #expect(throws: ManifestError.self, "\(name)") { try Manifest(json: json) }
        }
    }

    private func kind(_ name: String) throws -> Manifest {
        try #require(try ManifestKinds.all().first { $0.name == name }).manifest
    }

    private func ready() throws -> Manifest { try kind("ready") }

    private func expectRefused(_ broken: [(name: String, json: JSONObject)]) async throws {
        let problems = try await SchemaValidator.problems(broken.map { JSONValue.object($0.json).serializedBytes() })
        for (broken, problems) in zip(broken, problems) { #expect(!problems.isEmpty, "\(broken.name)") }
    }

    private func value(_ object: JSONObject, at path: [String]) -> JSONValue? {
        path.reduce(.object(object)) { value, step in
            Int(step).flatMap { value?.arrayValue?[$0] } ?? value?.objectValue?[step]
        }
    }

    /// The object with another value at a path; nil takes the member away.
    private func changed(_ object: JSONObject, at path: [String], to new: JSONValue?) throws -> JSONObject {
        func changed(_ value: JSONValue?, _ path: ArraySlice<String>) throws -> JSONValue? {
            guard let step = path.first else { return new }
            if let index = Int(step), var elements = value?.arrayValue {
                elements[index] = try #require(try changed(elements[index], path.dropFirst()))
                return .array(elements)
            }
            var object = try #require(value?.objectValue)
            object[step] = try changed(object[step], path.dropFirst())
            return .object(object)
        }
        return try #require(try changed(.object(object), path[...])?.objectValue)
    }
}
