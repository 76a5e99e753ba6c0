import Testing

@testable import Daemon

/// What is wrong in a file is told with the line and the column of its key.
struct ProblemPlacesTests {
    private func place(_ text: String, _ key: String) throws -> [Int?] {
        let problems = try WrittenConfiguration(text).problems()
        let problem = try #require(problems.first { $0.key == key }, "\(problems)")
        return [problem.line, problem.column]
    }

    @Test(
        "Each kind of problem has the place of its key",
        arguments: [
            ("{\n  inbox: 'a',\n}", "inbox", 2, 3),
            ("{ network: { concurrency: 1,\n\t'per_host': 0 } }", "network.per_host", 2, 2),
            ("// é\r\n{ /* é */ log_level: 5 }", "log_level", 2, 11),
            ("\u{FEFF}{limits: 5}", "limits", 1, 2),
            ("{\"perhost\": 5}", "perhost", 1, 2),
            ("{'network.per_host': 5}", "network.per_host", 1, 2),
            ("{limits: {pages: 0},\n limits: {pages: -1}}", "limits.pages", 2, 11),
            ("{inbox: '/a',\n state_directory: '/a'}", "state_directory", 2, 2),
            ("{socket: '/\(String(repeating: "s", count: 107))'}", "socket", 1, 2),
            ("{network: {\n ca_file: '/nowhere/ca.pem'}}", "network.ca_file", 2, 2),
            ("{network: {headers: {a: {X: 'b'}, 'http://b': {}}}}", "network.headers", 1, 12),
        ])
    func places(text: String, key: String, line: Int, column: Int) throws {
        #expect(try place(text, key) == [line, column])
    }

    @Test("A problem between the file and the command line stands where the value of its key was written")
    func mixed() throws {
        let written = try WrittenConfiguration("{state_directory: '/a'}")
        #expect(written.problems("inbox=/a").map(\.line) == [1])
        let other = try WrittenConfiguration("{inbox: '/a'}")
        #expect(other.problems("state_directory=/a").map(\.source) == ["--set"])
    }

    @Test("Of a file that is all wrong the first hundred problems are told")
    func many() throws {
        let text = "{" + (0..<5000).map { "k\($0): 1,\n" }.joined() + "}"
        #expect(try WrittenConfiguration(text).problems().count == 100)
    }
}
