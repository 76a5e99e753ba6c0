import TestSupport
import Testing

@testable import Addresses

@Suite("The address policy") struct AddressPolicyTests {
    @Test(
        "What is not public is refused, with its kind",
        arguments: [
            ("0.0.0.0", "this network"), ("0.255.255.255", "this network"),
            ("10.0.0.0", "private"), ("10.255.255.255", "private"),
            ("100.64.0.0", "carrier-grade NAT"), ("100.127.255.255", "carrier-grade NAT"),
            ("127.0.0.1", "loopback"), ("127.255.255.255", "loopback"),
            ("169.254.169.254", "link-local"), ("169.254.0.0", "link-local"),
            ("172.16.0.0", "private"), ("172.31.255.255", "private"),
            ("192.0.0.0", "reserved for protocols"), ("192.0.0.255", "reserved for protocols"),
            ("192.0.2.1", "documentation"), ("198.51.100.1", "documentation"), ("203.0.113.1", "documentation"),
            ("192.88.99.1", "6to4 relay"),
            ("192.168.0.0", "private"), ("192.168.255.255", "private"),
            ("198.18.0.0", "benchmarking"), ("198.19.255.255", "benchmarking"),
            ("224.0.0.1", "multicast"), ("239.255.255.255", "multicast"),
            ("240.0.0.0", "reserved"), ("255.255.255.254", "reserved"), ("255.255.255.255", "broadcast"),
            ("::", "unspecified"), ("::1", "loopback"),
            ("::7f00:1", "reserved"),  // IPv4-compatible, out of use
            ("64:ff9b:1::7f00:1", "local-use NAT64"), ("64:ff9b:2::1", "reserved"),
            ("100::1", "discard-only"),
            ("1fff:ffff::1", "reserved"), ("4000::", "reserved"), ("5f00::1", "reserved"),
            ("2001::1", "Teredo"), ("2001:1::1", "reserved for protocols"), ("2001:20::1", "reserved for protocols"),
            ("2001:1ff:ffff::1", "reserved for protocols"),
            ("2001:db8::1", "documentation"), ("2001:db8:ffff:ffff::1", "documentation"),
            ("2002:808:808::1", "6to4"), ("2002:7f00:1::1", "6to4"),
            ("3fff::1", "documentation"), ("3fff:fff::1", "documentation"),
            ("fc00::1", "private"), ("fdff::1", "private"),
            ("fe80::1", "link-local"), ("febf::1", "link-local"), ("fec0::1", "site-local"),
            ("ff02::1", "multicast"),
        ]
    ) func refuses(text: String, kind: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy().refusal(of: address) == "\(address), which is not public (\(kind))")
        #expect(!AddressPolicy().permits(address))
    }

    @Test(
        "Public addresses are let through, the neighbours of every refused range among them",
        arguments: [
            "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255",
            "192.0.1.0",
            "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
            "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
            "2000::", "2001:200::1", "2001:db7:ffff::1", "2001:db9::1", "2001:4860:4860::8888", "2003::1",
            "2606:4700::1",
            "2a00:1450::1", "3ffe::1", "3fff:1000::1",
            "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
        ]
    ) func permits(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressPolicy().refusal(of: address) == nil)
        #expect(AddressPolicy().permits(address))
    }

    @Test(
        "An IPv6 address that stands for an IPv4 one is judged as that one",
        arguments: [
            ("::ffff:127.0.0.1", "127.0.0.1", "loopback"), ("::ffff:a9fe:a9fe", "169.254.169.254", "link-local"),
            ("::ffff:10.0.0.1", "10.0.0.1", "private"), ("::ffff:0.0.0.0", "0.0.0.0", "this network"),
            ("64:ff9b::7f00:1", "127.0.0.1", "loopback"), ("64:ff9b::10.1.2.3", "10.1.2.3", "private"),
        ]
    ) func embedded(text: String, inner: String, kind: String) throws {
        let address = try #require(IPAddress(text))
        #expect(
            AddressPolicy().refusal(of: address) == "\(address) stands for \(inner), which is not public (\(kind))")
    }

    @Test(
        "The operator's ranges let through what lies in them, and nothing else",
        arguments: [
            (["127.0.0.0/8"], ["127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1"], ["::1", "10.0.0.1"]),
            (["127.0.0.1", "::1"], ["127.0.0.1", "::1"], ["127.0.0.2", "::2", "::"]),
            (["::ffff:10.0.0.0/104"], ["::ffff:10.0.0.1"], ["10.0.0.1", "64:ff9b::10.0.0.1", "::ffff:127.0.0.1"]),
            (["64:ff9b::/96"], ["64:ff9b::10.0.0.1"], ["10.0.0.1", "::ffff:10.0.0.1"]),
            (["fd00::/8"], ["fd12::1"], ["fc00::1", "fe80::1", "192.168.0.1"]),
            (["2002::/16"], ["2002:7f00:1::1"], ["127.0.0.1"]),
            (["0.0.0.0/0"], ["127.0.0.1", "255.255.255.255", "::ffff:10.0.0.1"], ["::1", "fe80::1"]),
            (["::/0"], ["::1", "fe80::1", "::ffff:10.0.0.1"], ["127.0.0.1", "10.0.0.1"]),
        ] as [([String], [String], [String])]
    ) func allowed(ranges: [String], permitted: [String], refused: [String]) throws {
        let policy = AddressPolicy(allowed: ranges.compactMap { AddressRange($0) })
        #expect(policy.allowed.count == ranges.count)
        for text in permitted { #expect(policy.permits(try #require(IPAddress(text))), "\(text)") }
        for text in refused { #expect(!policy.permits(try #require(IPAddress(text))), "\(text)") }
        #expect(policy.permits(.v4(0x0808_0808)))
    }

    @Test("Every range of the registries is in force") func registries() {
        #expect(SpecialPurposeRanges.v4.count == 16)
        #expect(SpecialPurposeRanges.v6.count == 13)
        #expect(SpecialPurposeRanges.embeddingV4.count == 2)
        #expect(SpecialPurposeRanges.globalUnicast.count == 1)
    }

    @Test("Any IPv4 address gets one verdict, alone, mapped and behind NAT64") func oneVerdict() {
        var generator = SeededGenerator(seed: 5)
        let policy = AddressPolicy(allowed: ["10.0.0.0/9", "1.0.0.0/8"].compactMap { AddressRange($0) })
        for _ in 0..<5000 {
            let value = UInt32.random(in: .min ... .max, using: &generator)
            let verdict = policy.permits(.v4(value))
            #expect(policy.permits(.v6(0xffff << 32 | UInt128(value))) == verdict)
            #expect(policy.permits(.v6(0x64_ff9b << 96 | UInt128(value))) == verdict)
        }
    }
}
