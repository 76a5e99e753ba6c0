package import ControlAPI
import Foundation
package import Glibc
import JSON
package import Platform
package import Stories

/// The built `storiesd`, running in a `DaemonPlace`. Killed with the last reference.
package final class DaemonProcess: Sendable {
    /// What did not come about, with the daemon's log.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    // Let go of first: the place's directories go when nobody writes there any more.
    private let program: RunningProgram
    package let place: DaemonPlace
    private let idleFiles = Locked<Int?>(nil)

    /// Origins of the tests are on the loopback, which no daemon goes to unless it is allowed.
    private static let loopback = "network.allowed_addresses=[\"127.0.0.1\"]"

    /// Starts it, with these settings (`KEY=VALUE`) beside the place's own; `environment` is added to that of the tests.
    /// `program`: another than `storiesd` that takes its arguments after these words.
    package init(
        _ place: DaemonPlace, _ settings: [String] = [], environment: [String: String] = [:],
        program words: [String] = ["storiesd"]
    ) throws {
        self.place = place
        let arguments = ([Self.loopback] + settings).flatMap { ["--set", $0] }
        program = try RunningProgram(
            RunningProgram.built(words[0]), words.dropFirst() + place.arguments + arguments, environment: environment)
        place.daemon = self
    }

    /// Starts it by the words of a shell, which end in `exec "$0" "$@"`; the descriptors become its own, from number 3 on.
    package init(
        _ place: DaemonPlace, shell: String, _ settings: [String] = [], environment: [String: String] = [:],
        descriptors: [Descriptor] = []
    ) throws {
        self.place = place
        let arguments = place.arguments + ([Self.loopback] + settings).flatMap { ["--set", $0] }
        program = try RunningProgram(
            "/bin/sh", ["-c", shell, RunningProgram.built("storiesd")] + arguments, environment: environment,
            descriptors: descriptors)
        place.daemon = self
    }

    /// Starts it by a configuration file, which says all that it is told: also the places, which are the place's.
    package init(_ place: DaemonPlace, configurationFile: String, environment: [String: String] = [:]) throws {
        self.place = place
        program = try RunningProgram(
            RunningProgram.built("storiesd"), ["--config", configurationFile], environment: environment)
    }

    /// One that has started and says that it is well.
    package static func ready(
        _ place: DaemonPlace, _ settings: [String] = [], environment: [String: String] = [:]
    ) async throws -> DaemonProcess {
        let daemon = try DaemonProcess(place, settings, environment: environment)
        try await daemon.waitUntilReady()
        return daemon
    }

    /// Waits until it says that it is well.
    package func waitUntilReady() async throws {
        try await wait("storiesd is ready") {
            if let end { throw failure("storiesd has ended: \(end)") }
            // Not yet there, or not yet ready: asked again.
            return (try? answer(.health))?.status == 200
        }
        let files = try openFiles()
        idleFiles.withLock { $0 = files }
    }

    // MARK: Asking

    /// What the socket answers.
    package func answer(_ request: ControlRequest) throws -> ControlResponse {
        guard let client = ControlClient(socketPath: place.socket) else { throw failure("there is no memory") }
        return try client.send(request)
    }

    package func status() throws -> StatusReport {
        try answer(.status).decoded { object throws(JSONFieldError) in try StatusReport(json: object) }
    }

    /// Everything that it has logged.
    package var log: String { program.errors }

    package var processID: pid_t { program.processID }

    /// How it has ended; nil while it runs.
    package var end: RunningProgram.End? { program.end }

    /// The most memory that it has held so far, in bytes (VmHWM, proc(5)).
    package func peakMemory() throws -> Int { try memory("VmHWM") }

    /// The memory that it holds now, in bytes (VmRSS).
    package func residentMemory() throws -> Int { try memory("VmRSS") }

    private func memory(_ name: String) throws -> Int {
        let lines = String(decoding: try FileBytes.read("/proc/\(program.processID)/status"), as: UTF8.self)
        let line = lines.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw failure("there is no \(name)")
        }
        return kilobytes * 1024
    }

    /// How many files, directories and the like it has open: what `openDescriptors` has beside sockets, and beside the
    /// timers of libdispatch, of which there is one for each kind of clock from the first time that it is used.
    package func openFiles() throws -> Int {
        try openDescriptors().count { !$0.hasPrefix("socket:") && $0 != "anon_inode:[timerfd]" }
    }

    /// How many it had open when it was ready; nil where nobody has waited for that.
    package var openFilesWhenReady: Int? { idleFiles.withLock { $0 } }

    /// What its open descriptors lead to.
    package func openDescriptors() throws -> [String] {
        let folder = "/proc/\(program.processID)/fd"
        return try place.names(folder).compactMap { name in
            // One that has been closed meanwhile leads nowhere.
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        }
    }

    // MARK: Waiting

    /// Waits until `condition` holds. Throws, with the log, where it does not in time, or the daemon ends.
    package func wait(
        _ what: String, within time: Duration = .seconds(30), until condition: @Sendable () throws -> Bool
    ) async throws {
        let came = try await eventually(within: time) {
            if try condition() { return true }
            if let end { throw failure("storiesd has ended (\(end)) before it came about that \(what)") }
            return false
        }
        guard came else { throw failure("it did not come about that \(what)") }
    }

    /// The manifest of a story, once it is there and settled.
    package func settled(_ id: String, group: String? = nil) async throws -> Manifest {
        try await manifest(id, group: group, that: "is settled") { $0.settled }
    }

    /// The manifest of a story, once it is there and `condition` holds.
    package func manifest(
        _ id: String, group: String? = nil, that what: String, _ condition: @Sendable (Manifest) -> Bool
    ) async throws -> Manifest {
        let found = Locked<Manifest?>(nil)
        try await wait("story \(id) \(what)") {
            guard let manifest = try place.manifest(id, group: group), condition(manifest) else { return false }
            found.withLock { $0 = manifest }
            return true
        }
        guard let manifest = found.withLock({ $0 }) else { throw failure("there is no story \(id)") }
        return manifest
    }

    /// Waits until every payload of so many has been accepted or rejected, and all stories have settled, by their
    /// manifests too.
    package func finished(payloads: Int) async throws {
        try await wait("\(payloads) payloads are done with") {
            let status = try status()
            guard
                status.inbox.accepted + status.inbox.rejected == payloads, status.inbox.pending == 0,
                status.stories.prefetching == 0
            else { return false }
            return try status.groups.map(\.id).allSatisfy { group in
                try place.stories(group).allSatisfy { try place.manifest($0, group: group)?.settled == true }
            }
        }
    }

    // MARK: Ending

    /// SIGKILL; returns when it is gone.
    package func kill() async throws {
        program.send(signal: SIGKILL)
        _ = try await program.waitForEnd()
    }

    /// SIGTERM; answers how it ended. Throws where it has not after the five seconds that it may take.
    package func terminate() async throws -> RunningProgram.End {
        program.send(signal: SIGTERM)
        return try await program.waitForEnd(within: .seconds(5))
    }

    /// SIGHUP; does not wait.
    package func reload() {
        program.send(signal: SIGHUP)
    }

    /// SIGSTOP: it stands still when this returns, and until `proceed`.
    package func pause() {
        program.send(signal: SIGSTOP)
        // A signal is on its way for a while.
        program.waitUntilStopped()
    }

    /// SIGCONT.
    package func proceed() {
        program.send(signal: SIGCONT)
    }

    /// SIGINT; does not wait.
    package func interrupt() {
        program.send(signal: SIGINT)
    }

    /// Waits for an end that nobody has asked for.
    package func waitForEnd() async throws -> RunningProgram.End {
        try await program.waitForEnd()
    }

    private func failure(_ text: String) -> Failure {
        Failure(description: "\(text)\nThe log:\n\(log)")
    }
}
