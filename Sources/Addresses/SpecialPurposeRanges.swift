/// The address ranges that are not the public internet, after the IANA IPv4 and IPv6 Special-Purpose Address
/// Registries (RFC 6890 and its updates) and the multicast registries.
///
/// Stricter than the registries in one way: a range with globally reachable exceptions inside (192.0.0.0/24,
/// 2001::/23) is refused whole, since no pictures are served from them.
enum SpecialPurposeRanges {
    /// One range and the words that tell an operator what it is.
    struct Entry: Sendable {
        let range: AddressRange
        let kind: String
    }

    /// All of IPv4 that is not public.
    static let v4 = entries([
        ("0.0.0.0/8", "this network"),  // RFC 791; 0.0.0.0 reaches the machine itself
        ("10.0.0.0/8", "private"),  // RFC 1918
        ("100.64.0.0/10", "carrier-grade NAT"),  // RFC 6598
        ("127.0.0.0/8", "loopback"),  // RFC 1122
        ("169.254.0.0/16", "link-local"),  // RFC 3927; the metadata services of clouds
        ("172.16.0.0/12", "private"),  // RFC 1918
        ("192.0.0.0/24", "reserved for protocols"),  // RFC 6890
        ("192.0.2.0/24", "documentation"),  // RFC 5737
        ("192.88.99.0/24", "6to4 relay"),  // RFC 7526, deprecated
        ("192.168.0.0/16", "private"),  // RFC 1918
        ("198.18.0.0/15", "benchmarking"),  // RFC 2544
        ("198.51.100.0/24", "documentation"),  // RFC 5737
        ("203.0.113.0/24", "documentation"),  // RFC 5737
        ("224.0.0.0/4", "multicast"),  // RFC 5771
        ("255.255.255.255/32", "broadcast"),  // RFC 919
        ("240.0.0.0/4", "reserved"),  // RFC 1112
    ])

    /// The global unicast part of IPv6 (RFC 4291, section 2.4): nothing outside it is public.
    static let globalUnicast = entries([("2000::/3", "global unicast")])

    /// What is not public inside global unicast, and names for the known ranges outside it.
    static let v6 = entries([
        ("::/128", "unspecified"),  // RFC 4291
        ("::1/128", "loopback"),  // RFC 4291
        ("64:ff9b:1::/48", "local-use NAT64"),  // RFC 8215
        ("100::/64", "discard-only"),  // RFC 6666
        ("2001:db8::/32", "documentation"),  // RFC 3849
        ("2001::/32", "Teredo"),  // RFC 4380
        ("2001::/23", "reserved for protocols"),  // RFC 2928
        ("2002::/16", "6to4"),  // RFC 3056; the IPv4 address inside could be any
        ("3fff::/20", "documentation"),  // RFC 9637
        ("fc00::/7", "private"),  // RFC 4193
        ("fe80::/10", "link-local"),  // RFC 4291
        ("fec0::/10", "site-local"),  // RFC 3879, deprecated
        ("ff00::/8", "multicast"),  // RFC 4291
    ])

    /// IPv6 ranges whose addresses stand for the IPv4 address in their last 32 bits: IPv4-mapped (RFC 4291) and the
    /// well-known NAT64 prefix (RFC 6052).
    static let embeddingV4 = entries([("::ffff:0:0/96", "IPv4-mapped"), ("64:ff9b::/96", "NAT64")])

    // A range that does not parse would be left out in silence; a test counts them.
    private static func entries(_ table: [(range: String, kind: String)]) -> [Entry] {
        table.compactMap { row in AddressRange(row.range).map { Entry(range: $0, kind: row.kind) } }
    }
}
