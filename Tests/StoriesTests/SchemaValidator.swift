import Foundation
import JSON
import Testing

/// `config/manifest.schema.json`, applied by Debian's python3-jsonschema: a validator that knows nothing of this code.
enum SchemaValidator {
    private static let program = """
        import json, sys
        texts = json.load(sys.stdin)
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1], encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        print(json.dumps([[e.json_path + ": " + e.message for e in validator.iter_errors(json.loads(t))] for t in texts]))
        """

    /// What the schema finds wrong with each of these texts; nothing where it holds.
    static func problems(_ texts: [[UInt8]]) throws -> [[String]] {
        let schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "config/manifest.schema.json")
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-c", program, schema.path]
        let (input, output) = (Pipe(), Pipe())
        python.standardInput = input
        python.standardOutput = output
        try python.run()
        let question = JSONValue.array(texts.map { .string(String(decoding: $0, as: UTF8.self)) })
        // It reads all of its input before it does anything else, so that no pipe is full or closed too early.
        try input.fileHandleForWriting.write(contentsOf: Data(question.serializedBytes()))
        try input.fileHandleForWriting.close()
        let answer = try #require(try output.fileHandleForReading.readToEnd(), "python3-jsonschema must be installed")
        python.waitUntilExit()
        try #require(python.terminationStatus == 0, "python3-jsonschema must be installed")
        let problems = try #require(try JSONParser.parse(Array(answer)).arrayValue)
        try #require(problems.count == texts.count)
        return problems.map { $0.arrayValue?.compactMap(\.stringValue) ?? [] }
    }
}
