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

    @Test func `killed a second time, before a step of what it does at its start, it leaves nothing broken`()
        async throws
    {
        let steps = try await Recording.make().steps.count
        await Sweep(name: "SIGKILL, and again at the start", count: steps, start: 26).expectNoFindings { step in
            do { return try await Self.findings(killedAt: step, again: step % Self.stepsOfAStart + 1) } catch {
                return ["\(error)"]
            }
        }
    }

    /// About as many as are made at a start before all is at rest.
    private static let stepsOfAStart = 60

    private static func findings(killedAt step: Int, again second: Int? = nil) async throws -> [String] {
        let scenario = try Scenario()
        let daemon = try DaemonProcess(
            scenario.place, Scenario.settings, program: ["crash-daemon", "kill", "\(step)", "--"])
        var findings: [String] = []
        do { try await scenario.play(daemon) } catch {
            if daemon.end != .killed(by: SIGKILL) { findings.append("\(error)") }
        }
        let rest = Rest(scenario)
        findings += try rest.findingsAtAnyMoment()
        if let second { findings += try await rest.findingsAfterKill(at: second) }
        findings += await rest.findingsAfterRestart()
        return findings.isEmpty ? [] : findings + [daemon.log]
    }
}
