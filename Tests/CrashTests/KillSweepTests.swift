import Glibc
import TestSupport
import Testing

/// A daemon is killed before a step on the disk, each in turn, and another goes on from what is left.
@Suite(.timeLimit(.minutes(60))) struct KillSweepTests {
    @Test func `killed before any of its steps, it leaves nothing broken, and the next start finishes`() async throws {
        let steps = try await Recording.make().steps.count
        await Sweep(name: "SIGKILL", count: steps).expectNoFindings { step in
            do { return try await Self.findings(killedAt: step) } catch { return ["\(error)"] }
        }
    }

    private static func findings(killedAt step: Int) async throws -> [String] {
        let scenario = try Scenario()
        let daemon = try DaemonProcess(
            scenario.place, Scenario.settings, program: ["crash-daemon", "kill", "\(step)", "--"])
        var findings: [String] = []
        do { try await scenario.play(daemon) } catch {
            if daemon.end != .killed(by: SIGKILL) { findings.append("\(error)") }
        }
        let rest = Rest(scenario)
        findings += try rest.findingsAtAnyMoment()
        findings += await rest.findingsAfterRestart()
        return findings.isEmpty ? [] : findings + [daemon.log]
    }
}
