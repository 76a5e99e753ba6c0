import ControlServer
import Inbox
import JSON
import MediaCache
import Platform
import Prefetching
import Transfers

/// The parts of a running daemon, joined. Made once; started once; stopped once.
final class StoriesDaemon: Sendable {
    let configuration: Locked<Configuration>
    let storage: CacheStorage
    let transfers: TransferLoop
    let prefetcher: Prefetcher
    let inbox: PayloadInbox
    let intake: PayloadIntake
    let events: EventHub
    let owners = Locked(KnownOwners())
    let phase = Locked(Phase.starting)
    /// Whether anything was wrong when that was looked at last.
    let hasProblems = Locked(false)
    /// That another daemon has got the state directory.
    private let dispossession = Locked<CacheFailure?>(nil)
    let startedAt = SuspendingClock.now
    let startedAtTime = Timestamp.now()
    let metricsFile: MetricsFile
    private let log: Log
    /// The socket that the service manager has passed.
    private let passedSocket: ListeningSocket?

    /// Where the daemon is in its life.
    enum Phase {
        case starting, running, stopping
    }

    /// Where no socket is passed, `run` makes the one that the configuration names.
    init(_ configuration: Configuration, passedSocket: ListeningSocket?, log: Log) throws(SystemError) {
        self.configuration = Locked(configuration)
        self.passedSocket = passedSocket
        self.log = log
        metricsFile = MetricsFile(path: configuration.metricsTextfile, log: log)
        let events = EventHub()
        self.events = events
        storage = CacheStorage(
            options: configuration.cacheOptions, executor: try ThreadExecutor(name: "storage"), log: log,
            tell: { events.tell(.cache($0)) })
        transfers = try TransferLoop(options: configuration.transferOptions, log: log)
        prefetcher = Prefetcher(
            options: configuration.prefetchOptions, storage: storage, transfers: transfers, log: log,
            listener: StoryListener(isListening: { events.isListening }, tell: { events.tell(.story($0)) }))
        inbox = try PayloadInbox(options: configuration.inboxOptions, log: log) { rejection in
            events.tell(.rejection(rejection))
        } isWhole: { bytes in
            // Whether the text ends where it should is all that is asked here; what it says comes later.
            (try? JSONParser.parse(bytes)) != nil
        }
        intake = PayloadIntake(inbox: inbox, prefetcher: prefetcher, limits: configuration.payloadLimits, log: log)
    }

    /// Runs until `stop`: takes the state directory, answers on the socket, takes up what earlier runs left, and only
    /// then looks into the inbox. `whenReady` is called when all of that stands.
    func run(whenReady: @Sendable () -> Void) async throws {
        do throws(CacheFailure) { try await storage.open() } catch {
            // Nothing is wrong with one that is another's.
            if error.kind == .owned { throw error }
            throw StartFailure(stateDirectory: error)
        }
        let (socket, server) = try await openSocket()
        Task(priority: .medium) { await metricsFile.run { await DaemonService(self).metrics() } }
        var failure: (any Error)?
        do { try await work(whenReady) } catch { failure = error }
        // Whoever still asks for a change is let go of before the state directory is another's to take.
        await close(socket, server)
        await prefetcher.stop()
        await storage.close()
        if let failure { throw failure }
    }

    /// Ends where the state directory turns out to be another's, as it would have at the start.
    private func work(_ whenReady: @Sendable () -> Void) async throws {
        await prefetcher.recover()
        // Only now: the inbox is this daemon's because the state directory is.
        do throws(SystemError) { try await inbox.start() } catch { throw StartFailure(inbox: error) }
        let isRunning = phase.withLock { phase in
            if phase == .starting { phase = .running }
            return phase == .running
        }
        if isRunning { whenReady() }
        let housekeeping = Task { await keepHouse() }
        defer { housekeeping.cancel() }
        await intake.run()
        await prefetcher.stop()
        await transfers.stop()
        await metricsFile.stop()
        if let failure = dispossession.withLock({ $0 }) { throw failure }
    }

    /// Ends `run`: no more payloads are taken, transfers are given up, what is unfinished stays for the next start.
    func stop() async {
        phase.withLock { $0 = .stopping }
        // First, so that what the intake is at, or waits for, ends.
        await prefetcher.stop()
        await inbox.stop()
    }

    /// What is looked after every few seconds, until cancelled.
    private func keepHouse() async {
        // The sleep throws when cancelled, which is the end.
        while (try? await Task.sleep(for: .seconds(5))) != nil {
            do throws(CacheFailure) { try await storage.keepState() } catch {
                // What is in the inbox and the containers is the other's now.
                dispossession.withLock { $0 = error }
                return await stop()
            }
            await prefetcher.mendIndexIfNeeded()
            await prefetcher.keepWithinLimits()
            await prefetcher.lookAfterCache()
            await DaemonService(self).problems()
        }
    }

    /// Takes what a running daemon can take of a new configuration. Answers the keys that need a restart; their old
    /// values stay in effect. Call it for one after the other.
    func reload(_ loaded: Configuration) async -> [String] {
        let old = configuration.withLock { $0 }
        let new = old.taking(reloadableFrom: loaded)
        configuration.withLock { $0 = new }
        log.setLevel(new.logLevel)
        transfers.update(new.transferOptions)
        intake.update(new.payloadLimits)
        inbox.reload(new.inboxOptions)
        await metricsFile.use(new.metricsTextfile)
        await storage.update(new.cacheOptions)
        await prefetcher.update(new.prefetchOptions)
        return loaded.changesNeedingRestart(from: old)
    }

    /// Making the socket touches the disk, and closing the server waits for a thread: both block.
    private func openSocket() async throws -> (ListeningSocket, ControlServer) {
        let path = configuration.withLock { $0.socket }
        return try await Thread.run(name: "socket") { [self] in
            Result {
                let socket = try passedSocket ?? Self.makeSocket(at: path)
                return (socket, try ControlServer(listening: socket.descriptor, service: DaemonService(self), log: log))
            }
        }.get()
    }

    private static func makeSocket(at path: String) throws -> ListeningSocket {
        do throws(ListeningSocketError) { return try ListeningSocket(path: path) } catch {
            throw StartFailure(socket: error)
        }
    }

    private func close(_ socket: ListeningSocket, _ server: ControlServer) async {
        do {
            try await Thread.run(name: "socket") {
                Result {
                    server.stop()
                    try socket.remove()
                }
            }.get()
        } catch {
            log.warning("the socket stays behind: \(error)")
        }
    }
}
