import Glibc

/// Signals as a stream instead of handlers. Make it before any other thread starts: the signals are blocked in the
/// calling thread and inherited so, and one thread waits for them, sigwait(3).
package struct Signals: Sendable {
    /// The signals taken, each by its number, in the order they came.
    package let received: AsyncStream<Int32>

    package init(_ numbers: [Int32]) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A peer that hangs up is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        received = stream
        let waited = set
        _ = try Thread(name: "signals") {
            var set = waited
            var number: Int32 = 0
            while sigwait(&set, &number) == 0 { continuation.yield(number) }
        }
    }
}
