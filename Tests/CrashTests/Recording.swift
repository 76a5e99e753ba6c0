import Glibc
import Platform
import TestSupport
import Testing

/// The steps of one run of the scenario that nothing happened to.
struct Recording {
    let scenario: Scenario
    /// A line for each, as `crash-daemon record` writes it.
    let steps: [String]
    /// The place before the first of them.
    let before: DiskModel
    private let indexes: [TemporaryDirectory]

    static func make() async throws -> Recording {
        let directory = try TemporaryDirectory()
        let path = directory.path("steps")
        let scenario = try Scenario(steps: { lines(path).count })
        let before = try DiskModel(path: scenario.place.path("."))
        let daemon = try DaemonProcess(
            scenario.place, Scenario.settings, program: ["crash-daemon", "record", path, "--"])
        let indexes = try [TemporaryDirectory(), TemporaryDirectory()]
        try await scenario.play(daemon) { copyIndex(from: scenario.place.state, to: indexes[0].path) }
        copyIndex(from: scenario.place.state, to: indexes[1].path)
        let steps = lines(path)
        try expectEveryKind(in: steps)
        return Recording(scenario: scenario, steps: steps, before: before, indexes: indexes)
    }

    /// A sweep over a record with holes would find nothing, and so pass.
    private static func expectEveryKind(in steps: [String]) throws {
        try #require(steps.count > 200, "the scenario takes more steps than were recorded")
        let kinds = Set(steps.map { String($0.prefix { $0 != "\t" }) })
        let expected: Set = [
            "create", "write", "truncate", "synchronize-file", "synchronize-directory", "rename", "remove",
            "make-directory", "commit",
        ]
        try #require(expected.subtracting(kinds).isEmpty, "a kind of step was not recorded")
        // Its part is cut to what its notes say.
        try #require(
            steps.contains { $0.hasPrefix("truncate\t") && !$0.hasSuffix("\t0") },
            "no download that broke off has gone on")
    }

    /// Puts an index there, which knows nothing of a step: garbage, one of an early moment, or one of the end.
    func putIndex(of step: Int, into place: DaemonPlace) throws {
        guard access(place.state, F_OK) == 0 else { return }
        if step.isMultiple(of: 3) {
            try FileBytes.put(
                (0..<8192).map { UInt8(truncatingIfNeeded: $0 &* step) }, at: "\(place.state)/index.sqlite")
        } else {
            Self.copyIndex(from: indexes[step % 3 - 1].path, to: place.state)
        }
    }

    private static func copyIndex(from directory: String, to destination: String) {
        for name in ["index.sqlite", "index.sqlite-wal"] {
            // There is not always a log.
            guard let bytes = try? FileBytes.read("\(directory)/\(name)") else { continue }
            try? FileBytes.put(bytes, at: "\(destination)/\(name)")
        }
    }

    private static func lines(_ path: String) -> [String] {
        // Before the first step there is no file.
        guard let bytes = try? FileBytes.read(path) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}
