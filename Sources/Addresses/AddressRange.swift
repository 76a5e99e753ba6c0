/// A range of IP addresses in CIDR notation, `10.0.0.0/8`. A plain value.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// The first address of the range: all bits after the prefix are zero.
    package let base: IPAddress
    /// How many leading bits the addresses of the range share.
    package let prefix: Int

    /// Reads `ADDRESS/PREFIX`, or a plain address as the range that holds only it. Bits after the prefix are dropped;
    /// nil when the address does not parse, or the prefix is not a decimal number that its version admits.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        var prefix = address.bitWidth
        if parts.count == 2 {
            // Int.init takes a sign, which no prefix has.
            guard let number = Int(parts[1]), parts[1].utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
            else { return nil }
            prefix = number
        }
        self.init(address, prefix: prefix)
    }

    /// The range of `prefix` leading bits around `address`; nil when its version has fewer bits.
    package init?(_ address: IPAddress, prefix: Int) {
        guard 0...address.bitWidth ~= prefix else { return nil }
        self.prefix = prefix
        // A shift by the whole width gives zero in Swift, so that /0 needs no case of its own.
        switch address {
        case .v4(let value): base = .v4(value & (UInt32.max << (UInt32.bitWidth - prefix)))
        case .v6(let value): base = .v6(value & (UInt128.max << (UInt128.bitWidth - prefix)))
        }
    }

    /// Whether `address` is of the range's version and lies in it.
    package func contains(_ address: IPAddress) -> Bool {
        switch (base, address) {
        case (.v4(let base), .v4(let value)): (base ^ value) >> (UInt32.bitWidth - prefix) == 0
        case (.v6(let base), .v6(let value)): (base ^ value) >> (UInt128.bitWidth - prefix) == 0
        default: false
        }
    }

    /// `ADDRESS/PREFIX`.
    package var description: String { "\(base)/\(prefix)" }
}
