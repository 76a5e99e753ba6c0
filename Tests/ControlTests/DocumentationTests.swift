import ControlAPI
import Foundation
import JSON
import TestSupport
import Testing

/// The one table of routes, held against what is written of it.
struct DocumentationTests {
    private let lines = Route.all.map { "\($0.method) \($0.path)" }

    @Test func `config/openapi.yaml describes each route, and no other`() async throws {
        let paths = try await APIDescription.document().object("paths")
        var described: [String] = []
        for (path, operations) in paths.members {
            for (method, _) in operations.objectValue?.members ?? [] {
                described.append("\(method.uppercased()) \(path)")
            }
        }
        #expect(described.sorted() == lines.sorted())
    }

    @Test func `config/openapi.yaml describes what each route takes, and every status that any may answer`()
        async throws
    {
        let document = try await APIDescription.document()
        let parameters = try document.object("components").object("parameters")
        for route in Route.all {
            let operation = try document.object("paths").object(route.path).object(route.method.lowercased())
            var query: [String] = []
            for reference in operation["parameters"]?.arrayValue ?? [] {
                let name = try #require(reference.objectValue?.string("$ref").split(separator: "/").last)
                let parameter = try parameters.object(String(name))
                if try parameter.string("in") == "query" { query.append(try parameter.string("name")) }
            }
            #expect(query == route.query, "\(route.path)")
            #expect((operation["requestBody"] != nil) == (route.body != nil), "\(route.path)")
            let statuses = try operation.object("responses").keys
            var expected = ["400", "403", "413", "429", "503"]
            if route.body != nil { expected += ["411", "415"] }
            if route.path.contains("{id}") { expected += ["404", "409", "503"] }
            #expect(Set(statuses).isSuperset(of: expected), "\(route.path)")
        }
    }

    @Test func `README's table of the socket has each route, with its query, and no other`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## The socket\n").dropFirst().first)
            .components(separatedBy: "\n## ")[0]
        let rows = section.split(separator: "\n").filter { row in
            ["GET", "POST", "DELETE"].contains { row.hasPrefix("| `\($0) ") }
        }
        let requests = rows.map { $0.split(separator: "`")[1].split(separator: " {").first.map(String.init) ?? "" }
        let expected = Route.all.map { route in
            let path = route.path.replacingOccurrences(of: "{id}", with: "ID").replacingOccurrences(
                of: "{page}", with: "N")
            let query = route.query.map { "\($0)=" }.joined(separator: "&")
            return "\(route.method) \(path)\(query.isEmpty ? "" : "?\(query)")"
        }
        #expect(requests.sorted() == expected.sorted())
    }
}
