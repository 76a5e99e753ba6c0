import ControlServer
import Glibc
import JSON
import MediaCache
import Platform

/// The program `storiesd`: its command line, its signals and its exit status.
package enum DaemonProgram {
    /// What the program ends with.
    private enum ExitStatus: Int32 {
        case ended = 0
        case failed = 1
        case usage = 2
        case ownedByAnother = 75
        case badConfiguration = 78
    }

    /// Runs to the end of the process. Call it first of all, on the main thread: the signals are taken out of the way
    /// before any other thread is there.
    package static func main() -> Never {
        StandardStreams.openThoseThatAreClosed()
        let arguments: DaemonArguments
        do throws(UsageError) {
            arguments = try DaemonArguments(Array(CommandLine.arguments.dropFirst()))
        } catch {
            fail(.usage, error.description)
        }
        switch arguments.action {
        case .showHelp:
            show(DaemonArguments.help)
        case .showVersion:
            show("storiesd \(ProductVersion.current)\n")
        case .printConfiguration:
            show(configuration(arguments).json.serialized(.pretty) + "\n")
        case .checkConfiguration:
            _ = configuration(arguments)
        case .run:
            serve(arguments)
        }
        exit(ExitStatus.ended.rawValue)
    }

    /// Writes what was asked for to standard output: where that cannot be, the program has failed.
    private static func show(_ text: String) {
        do throws(SystemError) {
            try Descriptor(owning: STDOUT_FILENO, path: "standard output").write(Array(text.utf8))
        } catch {
            fail(.failed, error.description)
        }
    }

    private static func configuration(_ arguments: DaemonArguments) -> Configuration {
        do throws(ConfigurationError) {
            return try load(arguments)
        } catch {
            fail(.badConfiguration, error.description)
        }
    }

    private static func load(_ arguments: DaemonArguments) throws(ConfigurationError) -> Configuration {
        try Configuration.load(
            file: arguments.configurationFile, overrides: arguments.overrides, environment: Environment.current,
            userID: getuid())
    }

    private static func fail(_ status: ExitStatus, _ message: String) -> Never {
        Log(program: "storiesd", level: .error).lastWord(message)
        exit(status.rawValue)
    }

    private static func serve(_ arguments: DaemonArguments) -> Never {
        // Before there are threads: the environment changes.
        let passedSocket = passedSocket()
        // First of all: what is asked while the configuration is read is answered when it is there.
        let signals = signals()
        let configuration = configuration(arguments)
        let log = Log(program: "storiesd", level: configuration.logLevel)
        // Others than the owner and the group have no business with anything made here.
        umask(0o027)
        OpenFileLimit.raise()
        do throws(SystemError) {
            let daemon = try StoriesDaemon(configuration, passedSocket: passedSocket, log: log)
            let supervision = try Supervision(daemon, log: log)
            if let passedSocket, passedSocket.path != configuration.socket {
                log.info(
                    "the socket that the service manager passed is used, \(passedSocket.path), not that of the "
                        + "configuration, \(configuration.socket)")
            }
            Task(priority: .medium) { await supervision?.run() }
            Task(priority: .medium) { await answer(signals, daemon, supervision, arguments, log) }
            Task(priority: .medium) {
                let status = await run(daemon, supervision, log)
                // exit(3) would take OpenSSL apart under a thread that may still be setting it up; nothing here waits
                // in a buffer to be written.
                _exit(status.rawValue)
            }
        } catch {
            fail(.failed, error.description)
        }
        while true { pause() }
    }

    private static func passedSocket() -> ListeningSocket? {
        do {
            let passed = try PassedDescriptors.take()
            return passed.isEmpty ? nil : try ListeningSocket(passed: passed)
        } catch {
            fail(.failed, "\(error)")
        }
    }

    private static func signals() -> Signals {
        do throws(SystemError) {
            return try Signals([SIGTERM, SIGINT, SIGHUP])
        } catch {
            fail(.failed, error.description)
        }
    }

    private static func run(_ daemon: StoriesDaemon, _ supervision: Supervision?, _ log: Log) async -> ExitStatus {
        do {
            log.info("storiesd \(ProductVersion.current) starts")
            try await daemon.run {
                log.info("ready")
                Task(priority: .medium) { await supervision?.ready() }
            }
            log.info("ended as asked")
            await supervision?.endIsTold()
            return .ended
        } catch let failure as CacheFailure where failure.kind == .owned {
            log.error(failure.message)
            return .ownedByAnother
        } catch {
            log.error("\(error)")
            return .failed
        }
    }

    private static func answer(
        _ signals: Signals, _ daemon: StoriesDaemon, _ supervision: Supervision?, _ arguments: DaemonArguments,
        _ log: Log
    ) async {
        // Several while one is at work are one. A file that cannot be read for long holds up no other signal.
        let (reloads, wanted) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        Task {
            for await _ in reloads {
                let isTold = await supervision?.reloading() == true
                await reload(daemon, arguments, log)
                if isTold { await supervision?.reloaded() }
            }
        }
        for await signal in signals.received {
            if signal == SIGHUP {
                wanted.yield()
            } else {
                // Not awaited: a manager that does not read holds up no stop.
                Task(priority: .medium) { await supervision?.stopping() }
                endWhateverHangs(log)
                await daemon.stop()
            }
        }
    }

    /// Sees to it that the end comes within five seconds, though a disk that hangs holds up what should come before it:
    /// nothing that is lost by a kill is lost by that.
    private static func endWhateverHangs(_ log: Log) {
        do throws(SystemError) {
            try Thread(name: "end") {
                let end = SuspendingClock.now.advanced(by: .milliseconds(4500))
                // Woken early by a signal, it goes on.
                while .now < end { usleep(50_000) }
                log.warning("ended in the midst of something that hangs; it is taken up again after the next start")
                _exit(ExitStatus.ended.rawValue)
            }.detach()
        } catch {
            log.warning("the end may take long: \(error)")
        }
    }

    private static func reload(_ daemon: StoriesDaemon, _ arguments: DaemonArguments, _ log: Log) async {
        do {
            let loaded = try await Thread.run(name: "reload") { () -> Result<Configuration, ConfigurationError> in
                do throws(ConfigurationError) {
                    return .success(try load(arguments))
                } catch {
                    return .failure(error)
                }
            }
            let waiting = await daemon.reload(try loaded.get())
            let rest = waiting.isEmpty ? "" : "; a restart is needed for \(waiting.joined(separator: ", "))"
            log.info("configuration read again\(rest)")
        } catch {
            log.error("the configuration is refused, the old one stays: \(error)")
        }
    }
}
