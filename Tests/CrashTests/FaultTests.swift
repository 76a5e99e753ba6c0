import Glibc
import Platform
import TestSupport
import Testing

/// One step on the disk fails, each in turn. The daemon stays up, or says at its start why it cannot; nothing is lost,
/// and all is ready in the end.
@Suite(.timeLimit(.minutes(60))) struct FaultTests {
    @Test(arguments: [("ENOSPC", ENOSPC), ("EIO", EIO), ("EMFILE", EMFILE)])
    func `with any of its steps failing once, it stays up, and all is ready in the end`(
        name: String, code: Int32
    ) async throws {
        let steps = try await Recording.make().steps.count
        await Sweep(name: name, count: steps).expectNoFindings { step in
            do { return try await Self.findings(failingAt: step, code) } catch { return ["\(error)"] }
        }
    }

    private static func findings(failingAt step: Int, _ code: Int32) async throws -> [String] {
        let scenario = try Scenario()
        let daemon = try DaemonProcess(
            scenario.place, Scenario.settings, program: ["crash-daemon", "fail", "\(step)", "\(code)", "--"])
        var findings: [String] = []
        do { try await scenario.play(daemon) } catch {
            if !daemon.hasRefusedToStart(for: code) { findings.append("\(error)") }
        }
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
