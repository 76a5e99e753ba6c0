import Foundation
import JSON

/// `config/manifest.schema.json`, applied by Debian's python3-jsonschema: a validator that knows nothing of this code.
package enum SchemaValidator {
    private static let program = """
        import json, sys
        texts = json.load(open(sys.argv[2], encoding="utf-8"))
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1], encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        print(json.dumps([[e.json_path + ": " + e.message for e in validator.iter_errors(json.loads(t))] for t in texts]))
        """

    /// What the schema finds wrong with each of these texts; nothing where it holds.
    package static func problems(_ texts: [[UInt8]]) async throws -> [[String]] {
        let schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "config/manifest.schema.json")
        let directory = try TemporaryDirectory()
        let question = JSONValue.array(texts.map { .string(String(decoding: $0, as: UTF8.self)) })
        try FileBytes.put(question.serializedBytes(), at: directory.path("texts.json"))
        let python = try await RunningProgram.run(
            "/usr/bin/python3", ["-c", program, schema.path, directory.path("texts.json")])
        guard python.end == .exited(0) else {
            throw Tool.Failure(description: "python3-jsonschema must be installed: \(python.errors)")
        }
        let problems = try JSONParser.parse(python.output).arrayValue ?? []
        guard problems.count == texts.count else {
            throw Tool.Failure(description: "the validator answered \(problems.count) times for \(texts.count) texts")
        }
        return problems.map { $0.arrayValue?.compactMap(\.stringValue) ?? [] }
    }
}
