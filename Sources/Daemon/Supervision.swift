import Inbox
import MediaCache
import Platform
import Prefetching
import Transfers

/// Tells the service manager of the daemon's life, and gives it a sign of life for as long as all working loops answer:
/// a daemon of which one is stuck is killed and started again.
///
/// The one owner of what the manager has been told. On a thread of its own, since telling blocks while the manager does
/// not read.
actor Supervision {
    private enum Stage { case starting, ready, stopping }

    /// The least time between two changes of the status.
    private static let statusInterval = Duration.seconds(3)

    private let daemon: StoriesDaemon
    private let log: Log
    private let executor: ThreadExecutor
    private var stage = Stage.starting
    private var toldStatus = ""
    private var watchdog = Watchdog()
    /// Nil where no sign of life is wanted.
    private let interval = ServiceNotification.watchdogInterval
    private let hasToldEnd = Locked(false)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Nil where there is no service manager to tell.
    init?(_ daemon: StoriesDaemon, log: Log) throws(SystemError) {
        guard ServiceNotification.isWanted else { return nil }
        self.daemon = daemon
        self.log = log
        executor = try ThreadExecutor(name: "supervision")
    }

    /// Runs to the end of the process.
    func run() async {
        async let watch: Void = keepWatch()
        await keepStatus()
        await watch
    }

    // MARK: Stages

    func ready() async {
        guard stage == .starting else { return }
        stage = .ready
        ServiceNotification.send(.ready)
        await tellStatus()
    }

    /// False where that is no news to anybody: it is not ready yet, or stops.
    func reloading() -> Bool {
        if stage == .ready { ServiceNotification.send(.reloading) }
        return stage == .ready
    }

    /// Ends what `reloading` began.
    func reloaded() {
        if stage == .ready { ServiceNotification.send(.ready) }
    }

    func stopping() {
        guard stage != .stopping else { return }
        stage = .stopping
        ServiceNotification.send(.stopping, .status("stopping"))
        hasToldEnd.withLock { $0 = true }
    }

    /// Returns when the manager has been told of the end; for one that does not read, after a second.
    nonisolated func endIsTold() async {
        let limit = SuspendingClock.now.advanced(by: .seconds(1))
        while !hasToldEnd.withLock({ $0 }), .now < limit {
            // Not cancelled by anybody.
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    // MARK: Status

    private func keepStatus() async {
        while stage != .stopping {
            await tellStatus()
            // Not cancelled by anybody.
            try? await Task.sleep(for: Self.statusInterval, clock: .suspending)
        }
    }

    private func tellStatus() async {
        let line =
            if stage == .starting {
                StatusLine.starting(stories: await daemon.prefetcher.statistics.stories.values.reduce(0, +))
            } else {
                StatusLine.of(await DaemonService(daemon).status())
            }
        guard line != toldStatus, stage != .stopping else { return }
        toldStatus = line
        ServiceNotification.send(.status(line))
    }

    // MARK: Signs of life

    /// Asks at half the interval, and half-way between says who has not answered.
    private func keepWatch() async {
        guard let interval else { return }
        while true {
            for loop in watchdog.ask() {
                Task(priority: .medium) {
                    await daemon.signOfLife(of: loop)
                    heard(loop)
                }
            }
            // Not cancelled by anybody.
            try? await Task.sleep(for: interval / 4, clock: .suspending)
            for loop in watchdog.newlySilent() {
                log.error(
                    "\(loop) has not answered for \(interval / 4): if it does not, the service manager's watchdog kills "
                        + "this process, \(interval) after the last sign of life")
            }
            try? await Task.sleep(for: interval / 4, clock: .suspending)
        }
    }

    private func heard(_ loop: WorkingLoop) {
        guard watchdog.answered(loop), let interval else { return }
        switch stage {
        case .ready: ServiceNotification.send(.alive)
        // However much there is to take up, or to end: it goes on.
        case .starting, .stopping: ServiceNotification.send(.alive, .needsTime(interval))
        }
    }
}

extension StoriesDaemon {
    /// Returns when that loop has come round to answer; where it has ended, at once.
    fileprivate func signOfLife(of loop: WorkingLoop) async {
        switch loop {
        case .storage: _ = await storage.ping()
        case .transfers: await transfers.ping()
        case .inbox: await inbox.ping()
        case .prefetcher: _ = await prefetcher.ping()
        }
    }
}
