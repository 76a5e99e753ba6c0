import ControlAPI
import Glibc
import Platform
import Stories
import TestSupport

/// What must hold of a place: at any moment, and once a daemon there has come to rest.
struct Rest {
    let place: DaemonPlace
    let ledger: Ledger
    let foreign: ForeignFiles
    /// Those of the daemon that goes on.
    let settings: [String]

    init(place: DaemonPlace, ledger: Ledger, foreign: ForeignFiles, settings: [String] = Scenario.settings) {
        self.place = place
        self.ledger = ledger
        self.foreign = foreign
        self.settings = settings
    }

    init(_ scenario: Scenario) {
        self.init(place: scenario.place, ledger: scenario.ledger, foreign: scenario.foreign)
    }

    /// At any moment: what a player may read, and nobody else's files. After so many steps.
    func findingsAtAnyMoment(after steps: Int = .max) throws -> [String] {
        var findings = foreign.findings(in: place)
        for cache in try place.caches() { findings += try place.brokenPromises(in: cache) }
        let gone = ledger.gone(after: steps)
        findings += try ledger.kept(after: steps).compactMap { try $0.loss(in: place, but: gone) }
        return findings
    }

    /// Starts the plain daemon on what is there, waits until it rests, and ends it.
    func findingsAfterRestart(after steps: Int = .max) async -> [String] {
        do {
            let daemon = try DaemonProcess(place, settings)
            // Only then does it tell of all that there is.
            try await daemon.waitUntilReady()
            do {
                try await daemon.wait("all is at rest, and status tells of it") { try isAtRest(daemon) }
            } catch {
                return ["after a restart: \(error)", try told(daemon)]
            }
            var findings = try findingsAtAnyMoment(after: steps) + findingsAtRest(daemon.status())
            if try await daemon.terminate() != .exited(0) { findings.append("the next daemon did not end as asked") }
            return findings.map { "after a restart: \($0)" } + (findings.isEmpty ? [] : ["\(daemon.log)"])
        } catch {
            return ["after a restart: \(error)"]
        }
    }

    /// Starts a daemon on what is there that is killed before that step; where it makes none so many, once it rests.
    func findingsAfterKill(at step: Int) async throws -> [String] {
        let daemon = try DaemonProcess(place, settings, program: ["crash-daemon", "kill", "\(step)", "--"])
        do {
            try await daemon.wait("all is at rest") { try isAtRest(daemon) }
            try await daemon.kill()
        } catch {
            if daemon.end != .killed(by: SIGKILL) { return ["at the second start: \(error)"] }
        }
        return try findingsAtAnyMoment().map { "after the second kill: \($0)" }
    }

    /// What it tells, and what there is.
    private func told(_ daemon: DaemonProcess) throws -> String {
        let status = String(decoding: try daemon.answer(.status).body, as: UTF8.self)
        return "\(status)\nobjects take \(try bytes()) bytes, the inbox holds \(try place.inboxFiles())"
    }

    private func isAtRest(_ daemon: DaemonProcess) throws -> Bool {
        // Not there yet, or no more.
        guard let status = try? daemon.status() else { return false }
        let stories = status.stories
        return try status.state == .running && status.inbox.pending == 0
            && stories.prefetching + stories.partial + stories.failed == 0
            && status.transfers.active + status.transfers.queued == 0 && status.cache.bytes == bytes()
            && !place.inboxFiles().contains { $0.hasPrefix(".claimed/") }
    }

    private func bytes() throws -> Int {
        try place.caches().map { try place.objects(in: $0).bytes }.reduce(0, +)
    }

    private func findingsAtRest(_ status: StatusReport) throws -> [String] {
        var findings: [String] = []
        if try bytes() > status.cache.maxBytes { findings.append("\(try bytes()) bytes are over the limit") }
        for cache in try place.caches() {
            var newest: Manifest?
            let ids = try place.names("\(cache)/stories")
            for id in ids {
                let path = "\(cache)/\(ContainerLayout.stories)/\(id)/\(ContainerLayout.manifest)"
                let manifest = try Manifest(bytes: FileBytes.read(path))
                if !manifest.settled || manifest.state != .ready && manifest.state != .fallback {
                    findings.append("story \(id) is \(manifest.state)")
                }
                // Of several of one moment it is the last by name.
                if manifest.isPresentable, newest.map({ $0.receivedAt <= manifest.receivedAt }) ?? true {
                    newest = manifest
                }
            }
            findings += try leftovers(in: cache, ids)
            let latest = "\(cache)/\(ContainerLayout.latest)"
            let expected = newest.map { LatestPointer($0).serialized() }
            if (try? FileBytes.read(latest)) != expected { findings.append("\(latest) does not name the newest story") }
        }
        let inbox = try place.inboxFiles().filter { $0 != "notes.txt" && !$0.hasPrefix(".rejected/wrong.json") }
        if !inbox.isEmpty { findings.append("the inbox holds \(inbox)") }
        let rejected = try place.names("\(place.inbox)/.rejected")
        if rejected != ["wrong.json", "wrong.json.reason.json"] { findings.append("rejected is \(rejected)") }
        return findings
    }

    /// What is no manifest, no object and not `latest.json`.
    private func leftovers(in cache: String, _ ids: [String]) throws -> [String] {
        try place.tree(cache).filter { try place.status("\(cache)/\($0)").kind != .directory }
            .filter { file in
                !file.hasPrefix("\(ContainerLayout.objects)/") && file != ContainerLayout.latest
                    && !ids.contains { file == "\(ContainerLayout.stories)/\($0)/\(ContainerLayout.manifest)" }
            }
            .map { "\(cache)/\($0) is left over" }
    }
}
