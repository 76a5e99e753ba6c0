package import ControlAPI
import Foundation
package import JSON

/// `config/openapi.yaml`, read by Debian's python3-yaml and applied by python3-jsonschema: readers that know nothing of
/// this code.
package enum APIDescription {
    /// An answer of the socket that is held against it.
    package struct Answer: Sendable {
        let route: Route
        let status: Int
        let contentType: String
        package let body: [UInt8]

        package init(_ route: Route, status: Int, contentType: String, body: [UInt8]) {
            self.route = route
            self.status = status
            self.contentType = contentType
            self.body = body
        }

        var json: JSONValue {
            [
                "path": .string(route.path), "method": .string(route.method.lowercased()),
                "status": .string(String(status)), "type": .string(contentType),
                "body": .string(String(decoding: body, as: UTF8.self)),
            ]
        }
    }

    /// The folder `config` of the project.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config")

    private static let reading = """
        import json, sys, yaml
        folder = sys.argv[1]
        with open(folder + "/openapi.yaml", encoding="utf-8") as file: root = yaml.safe_load(file)

        """

    /// What it says.
    package static func document() async throws -> JSONObject {
        let text = try await python(reading + "print(json.dumps(root))", [])
        return try JSONParser.parse(text).objectValue ?? [:]
    }

    // The manifest's schema refers to itself from its root, so its definitions go there.
    private static let validating =
        reading + """
            from jsonschema import Draft202012Validator
            with open(folder + "/manifest.schema.json", encoding="utf-8") as file: manifest = json.load(file)
            root["$defs"] = manifest.pop("$defs")
            root["components"]["schemas"]["Manifest"] = manifest
            def mend(value):
                if isinstance(value, list): return [mend(v) for v in value]
                if not isinstance(value, dict): return value
                if value.get("$ref") == "manifest.schema.json": return {"$ref": "#/components/schemas/Manifest"}
                return {k: mend(v) for k, v in value.items()}
            root = mend(root)
            def resolve(value):
                if "$ref" in value:
                    target = root
                    for name in value["$ref"].split("/")[1:]: target = target[name]
                    return target
                return value
            def problems(answer):
                responses = root["paths"][answer["path"]][answer["method"]]["responses"]
                if answer["status"] not in responses: return ["status " + answer["status"] + " is not described"]
                content = resolve(responses[answer["status"]])["content"]
                kind = (answer["type"] or "").split(";")[0]
                if kind not in content: return ["type " + kind + " is not described"]
                schema = content[kind].get("schema")
                if kind != "application/json" or schema is None: return []
                schema = {**root, "allOf": [schema]}
                errors = Draft202012Validator(schema).iter_errors(json.loads(answer["body"]))
                return [e.json_path + ": " + e.message for e in errors]
            with open(sys.argv[2], encoding="utf-8") as file: answers = json.load(file)
            for name, schema in root["components"]["schemas"].items(): Draft202012Validator.check_schema(schema)
            print(json.dumps([problems(a) for a in answers]))
            """

    /// What it finds wrong with each of these answers; nothing where it describes them.
    package static func problems(_ answers: [Answer]) async throws -> [[String]] {
        let directory = try TemporaryDirectory()
        let question = JSONValue.array(answers.map(\.json))
        try FileBytes.put(question.serializedBytes(), at: directory.path("answers.json"))
        let output = try await python(validating, [directory.path("answers.json")])
        return (try JSONParser.parse(output).arrayValue ?? []).map { $0.arrayValue?.compactMap(\.stringValue) ?? [] }
    }

    private static func python(_ program: String, _ arguments: [String]) async throws -> [UInt8] {
        let python = try await RunningProgram.run("/usr/bin/python3", ["-c", program, folder.path] + arguments)
        guard python.end == .exited(0) else {
            throw Tool.Failure(
                description: "python3-yaml and python3-jsonschema must be installed: \(python.errors)")
        }
        return python.output
    }
}
