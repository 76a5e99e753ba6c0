import ControlAPI
import JSON
import TestSupport
import Testing

/// A reader of a daemon's events: curl, as the tests' user or as another.
struct EventReader {
    private let program: RunningProgram

    /// Starts it, and waits until the daemon has answered: what happens from then on is told. `user`: by number, in
    /// group 0; only root can start that.
    init(_ place: DaemonPlace, user: Int? = nil) async throws {
        let curl = [
            "--silent", "--no-buffer", "--verbose", "--unix-socket", place.socket, "http://localhost/v1/events",
        ]
        if let user {
            program = try RunningProgram(
                "/usr/bin/setpriv", ["--reuid=\(user)", "--regid=0", "--clear-groups", "curl"] + curl)
        } else {
            program = try RunningProgram("/usr/bin/curl", curl)
        }
        // What is verbose is not held back.
        let hasBegun = await eventually { [program] in program.end != nil || program.errors.contains("< HTTP/1.1 ") }
        guard hasBegun, program.errors.contains("< HTTP/1.1 200 OK") else {
            throw NoStream(errors: program.errors)
        }
    }

    private struct NoStream: Error {
        let errors: String
    }

    /// What it has been told so far.
    func events() throws -> [Event] {
        let text = String(decoding: program.output, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().filter {
            $0.hasPrefix("{")
        }
        return try lines.map { line in
            let json = try #require(try JSONParser.parse(Array(line.utf8)).objectValue)
            return try #require(try Event(json: json), "an event that is not known: \(line)")
        }
    }

    /// Waits until it has been told such an event; answers all.
    func wait(
        for what: String, within time: Duration = .seconds(20), where isWanted: @Sendable (Event) -> Bool
    ) async throws -> [Event] {
        let isThere = try await eventually(within: time) { try events().contains(where: isWanted) }
        #expect(isThere, "no \(what) was told")
        return try events()
    }

    /// Waits for the end of the stream, which must be a proper one.
    func ended() async throws -> [Event] {
        #expect(try await program.waitForEnd() == .exited(0))
        return try events()
    }
}
