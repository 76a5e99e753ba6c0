import Platform
import TestSupport

/// The steps of one run of the scenario that nothing happened to.
struct Recording {
    let scenario: Scenario
    /// A line for each, as `crash-daemon record` writes it.
    let steps: [String]

    static func make() async throws -> Recording {
        let directory = try TemporaryDirectory()
        let path = directory.path("steps")
        let scenario = try Scenario(steps: { lines(path).count })
        let daemon = try DaemonProcess(
            scenario.place, Scenario.settings, program: ["crash-daemon", "record", path, "--"])
        try await scenario.play(daemon)
        return Recording(scenario: scenario, steps: lines(path))
    }

    private static func lines(_ path: String) -> [String] {
        // Before the first step there is no file.
        guard let bytes = try? FileBytes.read(path) else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}
