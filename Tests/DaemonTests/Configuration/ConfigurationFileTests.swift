import Foundation
import Glibc
import TestSupport
import Testing

@testable import Daemon

struct ConfigurationFileTests {
    @Test("A syntax error names line and column")
    func syntax() throws {
        let written = try WrittenConfiguration("{\n  // a comment\n  inbox: \"/a\" log_level: 'info'\n}")
        let problem = try #require(written.problems().first)
        #expect(problem.line == 3)
        #expect(problem.column == 15)
        #expect(problem.description.hasPrefix("\(written.path): line 3, column 15: expected ','"))
    }

    @Test("A file that holds no object, or nothing, is refused", arguments: ["", "[]", "5", "// only this"])
    func noObject(text: String) throws {
        let written = try WrittenConfiguration(text)
        #expect(written.problems().map(\.source) == [written.path])
    }

    @Test("A byte order mark, comments and trailing commas are fine; of equal keys the last wins")
    func lenient() throws {
        let text = "\u{FEFF}{ /* c */ network: {per_host: 2, per_host: 3,}, } // end"
        #expect(try WrittenConfiguration(text).load().network.perHost == 3)
    }

    @Test("A file that was named must be there")
    func missing() throws {
        let problem = try #require(try WrittenConfiguration().problems().first)
        #expect(problem.message.hasPrefix("cannot be read: No such file or directory; "))
    }

    @Test("A directory, a FIFO and a file that is too large are refused for what they are")
    func otherKinds() throws {
        let directory = try WrittenConfiguration()
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: false)
        #expect(directory.problems().first?.message.hasPrefix("is a directory") == true)

        let fifo = try WrittenConfiguration()
        #expect(mkfifo(fifo.path, 0o600) == 0)
        #expect(fifo.problems().first?.message.hasPrefix("is no regular file") == true)

        let large = try WrittenConfiguration(String(repeating: " ", count: 1_048_577))
        #expect(large.problems().first?.message.hasPrefix("is larger than 1048576 bytes") == true)
    }

    @Test("Text that is no UTF-8 is refused with its place")
    func badText() throws {
        let written = try WrittenConfiguration()
        try Data([0x7B, 0x0A, 0xFF, 0x7D]).write(to: URL(filePath: written.path))
        #expect(written.problems().first?.line == 2)
    }

    @Test("Without --config the user's file is read where it is there")
    func defaultPlace() throws {
        let written = try WrittenConfiguration()
        let directory = written.directory.path(".config/storiesd")
        func load() throws -> Configuration {
            try Configuration.load(
                file: nil, overrides: [], environment: written.environment, userID: written.userID)
        }
        #expect(try load().network.perHost == 6)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try "{network: {per_host: 7}}".write(toFile: "\(directory)/storiesd.json5", atomically: false, encoding: .utf8)
        #expect(try load().network.perHost == 7)
    }

    @Test("A file at the default place that may not be seen is refused, not passed over")
    func hiddenDefault() throws {
        let written = try WrittenConfiguration()
        // A loop of links is what root, too, may not look through.
        #expect(symlink(".config", written.directory.path(".config")) == 0)
        do throws(ConfigurationError) {
            _ = try Configuration.load(
                file: nil, overrides: [], environment: written.environment, userID: written.userID)
            Issue.record("it was passed over")
        } catch {
            let message = error.problems.first?.message ?? ""
            #expect(message.hasPrefix("cannot be read: Too many levels") && message.contains("--config FILE"))
            #expect(message.contains("HOME") && !message.contains("XDG_"))
        }
    }
}
