import Testing

@testable import Addresses

@Suite("Address ranges") struct AddressRangeTests {
    @Test(
        "A range reads as CIDR notation or as a single address, and drops the bits after its prefix",
        arguments: [
            ("10.0.0.0/8", "10.0.0.0/8"),
            ("10.1.2.3/8", "10.0.0.0/8"),
            ("192.168.1.1", "192.168.1.1/32"),
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("1.2.3.4/0", "0.0.0.0/0"),
            ("1.2.3.4/32", "1.2.3.4/32"),
            ("255.255.255.255/31", "255.255.255.254/31"),
            ("::1", "::1/128"),
            ("fd00::1234/8", "fd00::/8"),
            ("FE80::1/10", "fe80::/10"),
            ("::/0", "::/0"),
            ("2001:db8::ffff/127", "2001:db8::fffe/127"),
            ("::ffff:10.1.2.3/104", "::ffff:10.0.0.0/104"),
        ]
    ) func reads(text: String, canonical: String) {
        #expect(AddressRange(text)?.description == canonical)
    }

    @Test(
        "What is no range is refused",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/ 8",
            "10.0.0.0/8 ", " 10.0.0.0/8", "10.0.0/8", "10/8", "::/129", "::/99999999999999999999999", "localhost",
            "example.com/8", "[::1]/128", "fe80::1%eth0/64", "10.0.0.0/٨", "10.0.0.0\0/8", "10.0.0.0/0x8",
            "10.0.0.0/255.0.0.0",
        ]
    ) func refuses(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(
        "A range holds its first and last address and neither neighbour",
        arguments: [
            ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0", "::ffff:10.0.0.1", "::"]),
            ("192.168.1.1/32", ["192.168.1.1"], ["192.168.1.0", "192.168.1.2"]),
            ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "::1"]),
            ("fe80::/10", ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], ["fe7f::", "fec0::"]),
            ("::/0", ["::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], ["0.0.0.0", "255.255.255.255"]),
            ("2001:db8::1", ["2001:db8::1"], ["2001:db8::", "2001:db8::2"]),
        ] as [(String, [String], [String])]
    ) func holds(text: String, inside: [String], outside: [String]) throws {
        let range = try #require(AddressRange(text))
        for address in inside { #expect(range.contains(try #require(IPAddress(address))), "\(address)") }
        for address in outside { #expect(!range.contains(try #require(IPAddress(address))), "\(address)") }
    }

    @Test("A prefix its version has no bits for makes no range") func prefixes() throws {
        let four = try #require(IPAddress("10.0.0.1"))
        let six = try #require(IPAddress("::1"))
        for prefix in [-1, 33, Int.min, Int.max] { #expect(AddressRange(four, prefix: prefix) == nil) }
        for prefix in [-1, 129, Int.min, Int.max] { #expect(AddressRange(six, prefix: prefix) == nil) }
    }
}
