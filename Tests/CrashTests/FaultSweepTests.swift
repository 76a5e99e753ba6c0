import Glibc
import Platform
import TestSupport
import Testing

/// A step on the disk fails, each in turn. The daemon stays up, or says at its start why it cannot; nothing is lost, and
/// all is ready in the end.
@Suite(.timeLimit(.minutes(60))) struct FaultSweepTests {
    @Test(arguments: [("ENOSPC", ENOSPC, 11), ("EIO", EIO, 21), ("EMFILE", EMFILE, 31)])
    func `with any of its steps failing once, it stays up, and all is ready in the end`(
        name: String, code: Int32, start: Int
    ) async throws {
        let steps = try await Recording.make().steps.count
        await Sweep(name: name, count: steps, start: start).expectNoFindings { step in
            await Self.findings("fail", step, code) { scenario, daemon in try await scenario.play(daemon) }
        }
    }

    @Test func `with all steps failing from one on, as on a full disk, nothing is lost, and it ends as asked`()
        async throws
    {
        let steps = try await Recording.make().steps.count
        await Sweep(name: "ENOSPC from there on", count: steps, start: 6).expectNoFindings { step in
            await Self.findings("fail-from", step, ENOSPC) { scenario, daemon in
                try await scenario.playShort(daemon)
            }
        }
    }

    private static func findings(
        _ mode: String, _ step: Int, _ code: Int32, _ play: (Scenario, DaemonProcess) async throws -> Void
    ) async -> [String] {
        do { return try await findings(["crash-daemon", mode, "\(step)", "\(code)", "--"], code, play) } catch {
            return ["\(error)"]
        }
    }

    private static func findings(
        _ program: [String], _ code: Int32, _ play: (Scenario, DaemonProcess) async throws -> Void
    ) async throws -> [String] {
        let scenario = try Scenario()
        let daemon = try DaemonProcess(scenario.place, Scenario.settings, program: program)
        var findings: [String] = []
        do { try await play(scenario, daemon) } catch {
            if !daemon.hasRefusedToStart(for: code) { findings.append("\(error)") }
        }
        // In place of a story that cannot be removed the next ones by age go.
        if daemon.log.contains("cannot be evicted") { scenario.ledger.letGo("a", "b") }
        let rest = Rest(scenario)
        findings += try rest.findingsAtAnyMoment()
        findings += await rest.findingsAfterRestart()
        return findings.isEmpty ? [] : findings + [daemon.log]
    }
}

extension DaemonProcess {
    /// Whether it has ended with 1 before it was ready, and said why.
    fileprivate func hasRefusedToStart(for code: Int32) -> Bool {
        let lastWords = log.split(separator: "\n").last ?? ""
        return end == .exited(1) && !log.contains("ready\n") && lastWords.contains(String(cString: strerror(code)))
    }
}
