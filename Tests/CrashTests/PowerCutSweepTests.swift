import TestSupport
import Testing

/// The steps of one run, cut off after each by a power cut, which takes what was not synchronized: what is left breaks
/// no promise, and a daemon goes on from it.
@Suite(.timeLimit(.minutes(60))) struct PowerCutSweepTests {
    @Test(arguments: [[DiskModel.Loss.everything], [.endsOfFiles, .bytesOfFiles]])
    func `after a power cut at any of its steps nothing is broken, and the next start finishes`(
        losses: [DiskModel.Loss]
    ) async throws {
        let recording = try await Recording.make()
        let name = losses == [.everything] ? "power cut, names and bytes" : "power cut, bytes"
        await Sweep(name: name, count: recording.steps.count, start: 16).expectNoFindings { step in
            do {
                return try await Self.findings(recording, after: step, losses[step % losses.count])
            } catch { return ["\(error)"] }
        }
    }

    private static func findings(
        _ recording: Recording, after step: Int, _ loss: DiskModel.Loss
    ) async throws -> [String] {
        var model = recording.before
        for line in recording.steps.prefix(step) {
            guard let step = RecordedStep(line: line) else { return ["no step: \(line)"] }
            model.apply(step)
        }
        if model.strays > 0 { return ["\(model.strays) steps name what is not there"] }
        let place = try DaemonPlace()
        try model.write(to: place.path("."), after: loss)
        for payload in recording.scenario.ledger.kept(after: step)
        where payload.isDropped && !model.hasFile(of: payload.bytes) {
            // It lies there and waits.
            try place.drop(payload.name, payload.bytes, group: payload.group)
        }
        if loss != .everything { try recording.putIndex(of: step, into: place) }
        let rest = Rest(
            place: place, ledger: recording.scenario.ledger, foreign: try ForeignFiles(in: place),
            settings: Scenario.settings + ["cache.max_bytes=1048576"])
        var findings = try rest.findingsAtAnyMoment(after: step)
        findings += await rest.findingsAfterRestart(after: step)
        if findings.isEmpty { return [] }
        let last = recording.steps.prefix(step).suffix(3).map { String($0.prefix(120)) }
        return ["\(loss), after \(last)"] + findings
    }
}
