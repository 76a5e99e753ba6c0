import Foundation
import Glibc
import JSON
import Platform
import TestSupport
import Testing

/// What the program says of a configuration that it cannot use, and that it uses nothing of it.
struct WrongConfigurationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var file: String { directory.path("storiesd.json5") }

    private func storiesd(_ arguments: [String]) async throws -> RunningProgram {
        try await RunningProgram.run(RunningProgram.built("storiesd"), arguments)
    }

    @Test(arguments: WrongConfiguration.all)
    func `each ends with 78, names the key, its place and what would be right`(wrong: WrongConfiguration) async throws {
        var arguments = ["--check-config"]
        if let bytes = wrong.file {
            try FileBytes.put(bytes, at: file)
            arguments += ["--config", file]
        }
        let program = try await storiesd(arguments + wrong.settings.flatMap { ["--set", $0] })
        #expect(program.end == .exited(78))
        #expect(program.output == [])
        let source = wrong.file == nil ? "--set" : file
        let start = (["storiesd", source] + [wrong.place, wrong.key].compactMap { $0 }).joined(separator: ": ") + ": "
        #expect(program.errors.hasPrefix(start), "\(program.errors)")
        #expect(program.errors.dropFirst(start.count).contains(wrong.remedy), "\(program.errors)")
        #expect(program.errors.split(separator: "\n").count == 1, "\(program.errors)")
        #expect(!program.errors.contains("secret"))
    }

    /// What stands where the file is expected.
    enum Obstacle: CaseIterable {
        case nothing, directory, pipe, loop, tooLarge, unreadable
    }

    @Test(arguments: Obstacle.allCases)
    func `a file that is none, or cannot be read, ends it with 78 and the reason`(obstacle: Obstacle) async throws {
        var prefix: [String] = []
        let reason: String
        switch obstacle {
        case .nothing: reason = "cannot be read: No such file or directory"
        case .directory:
            #expect(mkdir(file, 0o700) == 0)
            reason = "is a directory"
        case .pipe:
            #expect(mkfifo(file, 0o600) == 0)
            reason = "is no regular file"
        case .loop:
            #expect(symlink(file, file) == 0)
            reason = "cannot be read: Too many levels of symbolic links"
        case .tooLarge:
            try FileBytes.put([UInt8](repeating: 0x20, count: 1_048_577), at: file)
            reason = "is larger than 1048576 bytes"
        case .unreadable:
            try FileBytes.put(Array("{}".utf8), at: file)
            #expect(chmod(file, 0) == 0)
            // Root reads what it likes, unless it has left that power behind, capabilities(7).
            if geteuid() == 0 { prefix = ["--bounding-set=-dac_override,-dac_read_search"] }
            reason = "cannot be read: Permission denied"
        }
        let program = try await RunningProgram.run(
            "/usr/bin/setpriv", prefix + ["--", RunningProgram.built("storiesd"), "--check-config", "--config", file])
        #expect(program.end == .exited(78))
        #expect(program.output == [])
        #expect(program.errors.hasPrefix("storiesd: \(file): \(reason); the configuration is a file of JSON5"))
    }

    @Test func `all that is wrong is told at once, each with its place`() async throws {
        try FileBytes.put(Array("{\n inbox: 5,\n network: {\n  per_host: 0, bogus: 1 },\n}".utf8), at: file)
        let program = try await storiesd(["--check-config", "--config", file, "--set", "cache.max_stories=none"])
        #expect(program.end == .exited(78))
        let lines = program.errors.split(separator: "\n").map(String.init)
        let starts = [
            "storiesd: \(file): line 2, column 2: inbox: ", "\(file): line 4, column 3: network.per_host: ",
            "\(file): line 4, column 16: network.bogus: ", "--set: cache.max_stories: ",
        ]
        #expect(lines.count == starts.count && zip(lines, starts).allSatisfy { $0.hasPrefix($1) }, "\(lines)")
    }

    @Test(arguments: ["network: {per_host: 0},", "network: {ca_file: '/nowhere/ca.pem'},", "network: ]"])
    func `nothing of a file is used when anything in it is wrong`(wrong: String) async throws {
        let place = try DaemonPlace()
        for path in [place.inbox, place.groups] { #expect(rmdir(path) == 0) }
        let keys = place.settings.map { "\($0): '\($1)'," }.joined(separator: "\n")
        try FileBytes.put(Array("{\n\(keys)\n\(wrong)\n}".utf8), at: file)
        for action in [[], ["--print-config"]] {
            let program = try await storiesd(action + ["--config", file])
            #expect(program.end == .exited(78))
            #expect(program.output == [])
        }
        for path in place.settings.values { #expect(access(path, F_OK) != 0, "\(path)") }
    }

    @Test func `a certificate that is cut off is refused by the line at which it begins`() async throws {
        let authority = try FileBytes.read(try await TestAuthority.shared().certificateFile)
        let path = directory.path("ca.pem")
        try FileBytes.put(authority + authority.dropLast(60), at: path)
        let program = try await storiesd(["--check-config", "--set", "network.ca_file=\(path)"])
        #expect(program.end == .exited(78))
        let line = authority.count { $0 == UInt8(ascii: "\n") } + 1
        #expect(program.errors.contains("cut off or damaged, which begins at its line \(line)"), "\(program.errors)")
    }

    @Test func `what is printed can be read again, and masks what is secret`() async throws {
        let authority = try await TestAuthority.shared().certificateFile
        let settings = [
            "network.proxy=socks5://me:hunter2@proxy:1080", "network.headers={'a.example': {Authorization: 'hunter2'}}",
            "network.retry_base=0.123456789", "limits.image_types=['svg']", "app_group=shop",
            "network.ca_file=\(authority)", "cache.max_bytes=1e15", "network.user_agent='é \\u2028'",
        ]
        let printed = try await storiesd(["--print-config"] + settings.flatMap { ["--set", $0] })
        #expect(printed.end == .exited(0))
        let text = String(decoding: printed.output, as: UTF8.self)
        #expect(!text.contains("hunter2") && !text.contains("me:"))
        #expect(text.contains("socks5://***@proxy:1080") && text.contains(#""Authorization": "***""#))
        try FileBytes.put(printed.output, at: file)
        // The masks are no secrets, and are not taken for them.
        let masked = try await storiesd(["--print-config", "--config", file])
        #expect(masked.end == .exited(78) && masked.output == [])
        for key in ["network.proxy", "network.headers"] {
            #expect(masked.errors.contains("\(key): must be "), "\(masked.errors)")
        }
        #expect(masked.errors.matches(of: /is the mask|are the mask/).count == 2, "\(masked.errors)")
        let secrets = settings[..<2].flatMap { ["--set", $0] }
        #expect(try await storiesd(["--check-config"] + secrets).end == .exited(0))
        let whole = text.replacing("***@", with: "me:hunter2@").replacing("\"***\"", with: "\"hunter2\"")
        try FileBytes.put(Array(whole.utf8), at: file)
        let again = try await storiesd(["--print-config", "--config", file])
        #expect(again.end == .exited(0), "\(again.errors)")
        #expect(again.output == printed.output)
    }
}
