import Glibc
import Platform

/// Lines that are drawn again and again below what a terminal shows, and are gone when that ends: also when a signal ends
/// the program, which then ends by that signal all the same, so that the shell knows. Made on the process's first
/// thread; threads that are to be spared the signals start later. Drawing never waits for the terminal.
final class LiveScreen: Sendable {
    private struct State {
        let output: TerminalOutput
        var lines = LiveLines()
        var isClosed = false

        mutating func erase(on size: TerminalSize) {
            // A terminal that is gone shows nothing anyway; of one that takes nothing nothing can be taken back.
            _ = try? output.write(lines.erase(on: size))
        }
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private let state: Locked<State>
    private let surroundings: Surroundings

    /// Draws on their terminal. Throws where there is no thread to be had.
    init(_ surroundings: Surroundings) throws(SystemError) {
        self.surroundings = surroundings
        state = Locked(State(output: TerminalOutput(of: surroundings.terminal)))
        var held = Self.set()
        pthread_sigmask(SIG_BLOCK, &held, nil)
        do throws(SystemError) {
            try Thread(name: "signals") { [state] in Self.waitForSignals(state, surroundings) }.detach()
        } catch {
            pthread_sigmask(SIG_UNBLOCK, &held, nil)
            throw error
        }
    }

    /// Puts these lines in place of those before; leaves that out where the terminal has not taken those.
    func draw(_ lines: [Line]) throws(SystemError) {
        let size = surroundings.canvas
        try state.withLock { state throws(SystemError) in
            guard try state.output.flush() else { return }
            try state.output.write(state.lines.draw(lines, surroundings.palette, on: size))
        }
    }

    /// Takes the lines away. Signals are again what they were.
    func close() {
        let size = surroundings.canvas
        state.withLock { state in
            state.erase(on: size)
            state.isClosed = true
        }
        var held = Self.set()
        pthread_sigmask(SIG_UNBLOCK, &held, nil)
    }

    private static func waitForSignals(_ state: Locked<State>, _ surroundings: Surroundings) {
        var held = set()
        // Looks ten times a second whether it is still needed.
        var tick = timespec(tv_sec: 0, tv_nsec: 100_000_000)
        while !state.withLock({ $0.isClosed }) {
            let signal = sigtimedwait(&held, nil, &tick)
            guard signal > 0 else { continue }
            let size = surroundings.canvas
            // Under the lock, so that nothing is drawn any more. One that is ignored (nohup(1)) ends nothing.
            state.withLock { state in
                state.erase(on: size)
                pthread_sigmask(SIG_UNBLOCK, &held, nil)
                raise(signal)
                pthread_sigmask(SIG_BLOCK, &held, nil)
            }
        }
    }

    private static func set() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
