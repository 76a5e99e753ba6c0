/// What an origin does in answer to one request: a list of steps. After the last one the connection waits for its next
/// request, unless a step has ended it.
package struct ScriptedAnswer: Sendable {
    package enum Step: Sendable {
        case bytes([UInt8])
        /// Waits until the test opens the gate, or the client goes.
        case wait(Gate)
        /// Opens the gate: the test sees that the script has come so far.
        case open(Gate)
        /// Waits until the client goes.
        case stall
        /// Sends single bytes with a pause after each.
        case drip([UInt8], every: Duration)
        /// Sends these bytes again and again until the client goes.
        case endless([UInt8])
        /// Ends the connection with FIN.
        case close
        /// Ends the connection with RST.
        case reset
    }

    package var steps: [Step]
    /// Who asks with this in If-None-Match is told that nothing has changed, 304.
    package var etag: String?

    package init(_ steps: Step...) {
        self.steps = steps
    }

    /// The same, of a list.
    package init(_ steps: [Step]) {
        self.steps = steps
    }

    /// These bytes, as they are.
    package static func raw(_ text: String, then: Step...) -> ScriptedAnswer {
        var answer = ScriptedAnswer(.bytes(Array(text.utf8)))
        answer.steps += then
        return answer
    }

    /// A head of these lines and an empty one.
    package static func head(_ lines: String...) -> [UInt8] {
        Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    /// 200 with a length.
    package static func ok(_ body: [UInt8], headers: [String] = []) -> ScriptedAnswer {
        status("200 OK", body, headers: headers)
    }

    /// 200 with a length, to be asked about at each use; 304 for whoever has it.
    package static func validated(_ body: [UInt8], etag: String) -> ScriptedAnswer {
        var answer = ok(body, headers: ["Cache-Control: no-cache", "ETag: \(etag)"])
        answer.etag = etag
        return answer
    }

    /// `status` ("404 Not Found") with a length.
    package static func status(_ status: String, _ body: [UInt8] = [], headers: [String] = []) -> ScriptedAnswer {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers + ["", ""]
        return ScriptedAnswer(.bytes(Array(lines.joined(separator: "\r\n").utf8) + body))
    }

    /// A redirect with a short body.
    package static func redirect(to location: String, status: String = "302 Found") -> ScriptedAnswer {
        .status(status, Array("<p>Moved.</p>".utf8), headers: ["Location: \(location)"])
    }

    /// 200 in chunks of these; `ended`: with the last, empty one.
    package static func chunked(_ chunks: [[UInt8]], ended: Bool = true, headers: [String] = []) -> ScriptedAnswer {
        let lines = ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"] + headers + ["", ""]
        var answer = ScriptedAnswer(.bytes(Array(lines.joined(separator: "\r\n").utf8)))
        answer.steps += chunks.map { .bytes(chunk($0)) }
        answer.steps.append(ended ? .bytes(Array("0\r\n\r\n".utf8)) : .close)
        return answer
    }

    /// One chunk of the chunked coding.
    package static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }
}
