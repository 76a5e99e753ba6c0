/// Answers of an origin that knows what it has sent before: parts of a body, and bodies that break off.
extension ScriptedAnswer {
    /// 200 with the length of all of `body`, of which so many bytes are sent; then that.
    package static func begun(
        _ body: [UInt8], _ count: Int, headers: [String] = ["ETag: \"v1\""], then: Step...
    ) -> ScriptedAnswer {
        let lines = ["HTTP/1.1 200 OK", "Content-Length: \(body.count)"] + headers + ["", ""]
        var answer = ScriptedAnswer(.bytes(Array(lines.joined(separator: "\r\n").utf8) + body[..<count]))
        answer.steps += then
        return answer
    }

    /// What a proper origin answers that has `body` under this ETag: the rest from where the request says, if that is of
    /// the same body, else all.
    package static func file(
        _ body: [UInt8], etag: String = "\"v1\"", to request: ScriptedOrigin.Request
    ) -> ScriptedAnswer {
        let wants = request.header("If-Range").map { $0 == etag } ?? true
        guard wants, let from = start(of: request) else { return .ok(body, headers: ["ETag: \(etag)"]) }
        guard from < body.count else {
            return .status(
                "416 Range Not Satisfiable", headers: ["Content-Range: bytes */\(body.count)", "ETag: \(etag)"])
        }
        return .status(
            "206 Partial Content", Array(body[from...]),
            headers: ["Content-Range: bytes \(from)-\(body.count - 1)/\(body.count)", "ETag: \(etag)"])
    }

    /// From which byte on the request asks for a part; nil where it asks for none.
    package static func start(of request: ScriptedOrigin.Request) -> Int? {
        guard let range = request.header("Range"), range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
        return Int(range.dropFirst("bytes=".count).dropLast())
    }
}
