/// Which network addresses may be reached: the public ones, and those that the operator let through.
///
/// An immutable value, made from the configuration. It judges the address that a socket is about to be opened to, so
/// that neither a name, a redirect nor a second spelling of an address gets round it.
package struct AddressPolicy: Hashable, Sendable {
    /// Ranges that may be reached although they are not public.
    package let allowed: [AddressRange]

    /// A policy that lets `allowed` through beside all public addresses.
    package init(allowed: [AddressRange] = []) {
        self.allowed = allowed
    }

    /// Whether a connection to `address` may be opened.
    package func permits(_ address: IPAddress) -> Bool {
        refusal(of: address) == nil
    }

    /// Why no connection to `address` may be opened, in plain words; nil when it may.
    package func refusal(of address: IPAddress) -> String? {
        guard !isAllowed(address) else { return nil }
        // An address that stands for an IPv4 one reaches that one, so it is judged as it, in each of its forms.
        if let embedded = address.embeddedV4 {
            return refusal(of: embedded).map { "\(address) stands for \($0)" }
        }
        return Self.kind(of: address).map { "\(address), which is not public (\($0))" }
    }

    private func isAllowed(_ address: IPAddress) -> Bool {
        allowed.contains { $0.contains(address) }
    }

    /// What a special-purpose address is for; nil for a public one.
    private static func kind(of address: IPAddress) -> String? {
        switch address {
        case .v4:
            return SpecialPurposeRanges.v4.first { $0.range.contains(address) }?.kind
        case .v6:
            if let special = SpecialPurposeRanges.v6.first(where: { $0.range.contains(address) }) {
                return special.kind
            }
            return SpecialPurposeRanges.globalUnicast.contains { $0.range.contains(address) } ? nil : "reserved"
        }
    }
}

extension IPAddress {
    /// The IPv4 address that an IPv4-mapped or NAT64 address stands for.
    fileprivate var embeddedV4: IPAddress? {
        guard case .v6(let value) = self, SpecialPurposeRanges.embeddingV4.contains(where: { $0.range.contains(self) })
        else { return nil }
        return .v4(UInt32(truncatingIfNeeded: value))
    }
}
