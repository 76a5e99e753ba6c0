import Glibc
import Platform

/// Keeps the file that `metrics_textfile` names: the metrics' text, for a collector that reads files. It is written at once,
/// every 15 s and at the end, each time as a whole. What fails is told, and stops nothing.
///
/// A file that is not wanted any more is removed: a collector would go on telling old numbers as today's. The one of the end
/// stays, and says that the daemon is stopping.
actor MetricsFile {
    typealias Instant = SuspendingClock.Instant

    /// How long the end of all may wait for the last writing: a disk may hang.
    private static let patience = Duration.seconds(1)

    private let log: Log
    private var plan: MetricsFilePlan
    private var pause: Task<Void, Never>?
    private var isStopping = false
    private let (ended, end) = AsyncStream.makeStream(of: Void.self)

    init(path: String?, log: Log) {
        plan = MetricsFilePlan(path: path, at: .now)
        self.log = log
    }

    /// Why it cannot be written; nil where it can.
    var problem: String? { plan.problem }

    /// Takes effect at once.
    func use(_ path: String?) {
        plan.use(path, at: .now)
        pause?.cancel()
    }

    /// Writes what `text` answers, until `stop`. Call it once.
    func run(_ text: @Sendable () async -> [UInt8]) async {
        while !isStopping {
            if let path = plan.begin(at: .now) { await write(await text(), to: path) }
            await removeLeftOver()
            await waitUntilDue()
        }
        await removeLeftOver()
        if let path = plan.path { await write(await text(), to: path) }
        end.finish()
    }

    /// Has the file written a last time. Returns when that is done, or takes long.
    func stop() async {
        isStopping = true
        pause?.cancel()
        let timeout = Task { [end] in
            // Cancelled where the writing was in time.
            try? await Task.sleep(for: Self.patience)
            end.finish()
        }
        for await _ in ended {}
        timeout.cancel()
    }

    private func waitUntilDue() async {
        guard !isStopping, !plan.hasLeftOver else { return }
        // Where no file is wanted, until one is.
        let due = plan.next ?? .now.advanced(by: .seconds(86_400))
        let pause = Task<Void, Never> {
            // Cancelled: something else is wanted meanwhile.
            try? await Task.sleep(until: due, clock: .suspending)
        }
        self.pause = pause
        await pause.value
    }

    private func write(_ text: [UInt8], to path: String) async {
        var failure: String?
        do throws(SystemError) {
            try await Thread.run(name: "metrics") { Result { () throws(SystemError) in try Self.put(text, at: path) } }
                .get()
        } catch {
            // By the name that was configured, not by that of the temporary file.
            failure = SystemError(error.operation, path: path, code: error.code).description
        }
        if plan.end(path, failure: failure), let failure {
            log.error("the metrics' file cannot be written: \(failure)")
        }
    }

    private func removeLeftOver() async {
        for path in plan.takeLeftOver() {
            do throws(SystemError) {
                try await Thread.run(name: "metrics") { Result { () throws(SystemError) in try Self.remove(path) } }
                    .get()
            } catch {
                log.warning("the former metrics' file stays behind: \(error)")
            }
        }
    }

    /// Others read it: the collector is another user.
    private static func put(_ text: [UInt8], at path: String) throws(SystemError) {
        let (folder, name) = try place(of: path)
        try AtomicFile.write(text, to: name, in: folder, temporaries: folder, mode: 0o644, ignoresUmask: true)
    }

    private static func remove(_ path: String) throws(SystemError) {
        let (folder, name) = try place(of: path)
        try folder.remove(name)
    }

    private static func place(of path: String) throws(SystemError) -> (Directory, name: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (try Directory.open(folder), String(path[path.utf8.index(after: slash)...]))
    }
}
