import Platform

/// The hosts that a resolver was asked for, in order.
final class Asked: Sendable {
    private let list = Locked<[String]>([])

    var hosts: [String] { list.withLock { $0 } }

    func count(_ host: String) { list.withLock { $0.append(host) } }
}
