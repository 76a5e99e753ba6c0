import Glibc

/// An IP address of version 4 or 6, as a number in host byte order.
///
/// A plain value. An IPv6 address that carries an IPv4 one (`::ffff:127.0.0.1`) stays an IPv6 address here; what it
/// reaches is judged by `AddressPolicy`. Zones (`%eth0`) are no part of it.
package enum IPAddress: Hashable, Sendable, CustomStringConvertible {
    case v4(UInt32)
    case v6(UInt128)

    /// An IPv4 address in the dotted form of four decimal numbers or an IPv6 address without brackets; nil for anything
    /// else, the short and hexadecimal forms of IPv4 included.
    package init?(_ text: String) {
        // inet_pton(3) reads a C string: a NUL would hide what follows it.
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self = .v4(UInt32(bigEndian: four.s_addr))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    /// The address in a socket address of `length` bytes; nil when it is of another family than IPv4 and IPv6, or too
    /// short for its family.
    package init?(socketAddress: UnsafeRawPointer, length: Int) {
        guard length >= MemoryLayout<sa_family_t>.size else { return nil }
        // SAFETY: the caller lends `length` readable bytes, and each load is of a plain C struct that was checked to
        // fit in them; `loadUnaligned` asks nothing of the pointer.
        switch Int32(socketAddress.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            guard length >= MemoryLayout<sockaddr_in>.size else { return nil }
            let address = socketAddress.loadUnaligned(as: sockaddr_in.self)
            self = .v4(UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            guard length >= MemoryLayout<sockaddr_in6>.size else { return nil }
            let address = socketAddress.loadUnaligned(as: sockaddr_in6.self)
            self.init(address.sin6_addr)
        default:
            return nil
        }
    }

    private init(_ address: in6_addr) {
        // SAFETY: the bytes of a plain C struct, read within the call.
        self = .v6(withUnsafeBytes(of: address) { bytes in bytes.reduce(0) { $0 << 8 | UInt128($1) } })
    }

    /// Bits in an address of this version: 32 or 128.
    var bitWidth: Int {
        switch self {
        case .v4: UInt32.bitWidth
        case .v6: UInt128.bitWidth
        }
    }

    /// The usual text: dotted decimal, or IPv6 as RFC 5952 writes it, lower case and without brackets.
    package var description: String {
        switch self {
        case .v4(let value):
            return (0..<4).map { String(value >> (24 - 8 * $0) & 0xff) }.joined(separator: ".")
        case .v6(let value):
            var address = in6_addr()
            // SAFETY: an in6_addr is 16 plain bytes (RFC 3493), as many as are stored.
            withUnsafeMutableBytes(of: &address) { $0.storeBytes(of: value.bigEndian, as: UInt128.self) }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            // Cannot fail: the family is known and the buffer is as long as inet_ntop(3) may need.
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
