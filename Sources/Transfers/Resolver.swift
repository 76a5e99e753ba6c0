import Addresses
import CLinux
import Glibc
import Platform

/// Looks up names on threads of its own, since getaddrinfo(3) blocks for as long as it likes. A look-up that never
/// ends costs one of them and holds up nothing else: neither the loop, nor its stop, nor the process's end.
final class Resolver: Sendable {
    typealias Answer = LookupQueue.Answer
    typealias Ticket = LookupQueue.Ticket

    private struct State {
        var queue = LookupQueue()
        var completions: [Ticket: @Sendable (Answer) -> Void] = [:]
        var tickets: UInt64 = 0
    }

    private let state = Locked(State())
    private let lookUp: @Sendable (String) -> Answer

    /// Looks up by `lookUp`, which may block.
    init(lookUp: @escaping @Sendable (String) -> Answer = Resolver.system) {
        self.lookUp = lookUp
    }

    /// Asks for all addresses of `host`; `completion` is called once, on any thread, at once where they are known.
    /// It is not called any more once the ticket has been withdrawn.
    func ask(_ host: String, completion: @escaping @Sendable (Answer) -> Void) -> Ticket {
        let (ticket, step) = state.withLock { state in
            state.tickets += 1
            let ticket = Ticket(number: state.tickets)
            let step = state.queue.ask(host, ticket, at: .now)
            if case .known = step {} else { state.completions[ticket] = completion }
            return (ticket, step)
        }
        switch step {
        case .known(let addresses): completion(.success(addresses))
        case .startWorker: startWorker()
        case .wait: break
        }
        return ticket
    }

    /// The one who asked no longer waits.
    func withdraw(_ ticket: Ticket, from host: String) {
        let wantsWorker = state.withLock { state in
            state.completions[ticket] = nil
            return state.queue.withdraw(ticket, from: host)
        }
        if wantsWorker { startWorker() }
    }

    /// Nobody is told anything any more.
    func stop() {
        state.withLock { state in
            state.completions = [:]
            state.queue.close()
        }
    }

    private func startWorker() {
        do throws(SystemError) {
            let worker = try Thread(name: "resolver") { [self] in
                while let host = state.withLock({ $0.queue.nextHost() }) {
                    let answer = lookUp(host)
                    tell(answer) { $0.finish(host, answer, at: .now) }
                }
            }
            // Nobody waits for it: it may never end.
            worker.detach()
        } catch {
            tell(.failure(LookupFailure(message: error.description))) { $0.workerFailed() }
        }
    }

    private func tell(_ answer: Answer, _ change: @Sendable (inout LookupQueue) -> [Ticket]) {
        let completions = state.withLock { state in
            change(&state.queue).compactMap { state.completions.removeValue(forKey: $0) }
        }
        for completion in completions { completion(answer) }
    }

    /// getaddrinfo(3): all addresses of both families, in its order.
    static func system(_ host: String) -> Answer {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = clinux_stream()
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else {
            // SAFETY: gai_strerror(3) gives a constant string for every code.
            return .failure(LookupFailure(message: String(cString: gai_strerror(code))))
        }
        // SAFETY: after a 0 `list` and all that hangs on it is ours until freeaddrinfo(3), which runs last; each address
        // has the length that stands beside it.
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let raw = entry.ai_addr,
                let address = IPAddress(socketAddress: raw, length: Int(entry.ai_addrlen)),
                !addresses.contains(address)
            else { continue }
            addresses.append(address)
        }
        return addresses.isEmpty ? .failure(LookupFailure(message: "no address")) : .success(addresses)
    }
}
