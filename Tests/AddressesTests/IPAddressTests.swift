import Glibc
import TestSupport
import Testing

@testable import Addresses

@Suite("IP addresses") struct IPAddressTests {
    @Test(
        "An address is read and written in its shortest form",
        arguments: [
            ("127.0.0.1", "127.0.0.1"),
            ("0.0.0.0", "0.0.0.0"),
            ("255.255.255.255", "255.255.255.255"),
            ("::", "::"),
            ("0:0:0:0:0:0:0:1", "::1"),
            ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("::ffff:7f00:1", "::ffff:127.0.0.1"),
            ("64:ff9b::7f00:1", "64:ff9b::7f00:1"),
            ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ]
    ) func reads(text: String, canonical: String) {
        #expect(IPAddress(text)?.description == canonical)
    }

    @Test(
        "What is no address is refused",
        arguments: [
            "", "localhost", "127.1", "2130706433", "0x7f.0.0.1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4.",
            " 1.2.3.4",
            "1.2.3.4 ", "[::1]", "::1%eth0", "fe80::1%1", ":::", "1::2::3", "12345::", "1.2.3.4\0",
            "127.0.0.1\0.example",
            "::1\0", "１.2.3.4",
        ]
    ) func refuses(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("A number stands for the address in host byte order") func numbers() {
        #expect(IPAddress("127.0.0.1") == .v4(0x7f00_0001))
        #expect(IPAddress("::1") == .v6(1))
        #expect(IPAddress("2001:db8::")?.description == IPAddress.v6(0x2001_0db8 << 96).description)
        #expect(IPAddress("::ffff:1.2.3.4") != IPAddress("1.2.3.4"))
    }

    @Test("A socket address gives its IPv4 address") func socketAddressV4() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x0a00_0001).bigEndian
        #expect(IPAddress(socketAddress: &address, length: MemoryLayout<sockaddr_in>.size)?.description == "10.0.0.1")
        #expect(IPAddress(socketAddress: &address, length: MemoryLayout<sockaddr_in>.size - 1) == nil)
        #expect(IPAddress(socketAddress: &address, length: 1) == nil)
        #expect(IPAddress(socketAddress: &address, length: 0) == nil)
    }

    @Test("A socket address gives its IPv6 address, at any place in memory") func socketAddressV6() {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        #expect(inet_pton(AF_INET6, "2001:db8::7", &address.sin6_addr) == 1)
        let size = MemoryLayout<sockaddr_in6>.size
        #expect(IPAddress(socketAddress: &address, length: size)?.description == "2001:db8::7")
        #expect(IPAddress(socketAddress: &address, length: MemoryLayout<sockaddr_in>.size) == nil)

        let shifted = [UInt8(0)] + withUnsafeBytes(of: address) { Array($0) }
        shifted.withUnsafeBytes { bytes in
            let odd = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
            #expect(
                odd.baseAddress.flatMap { IPAddress(socketAddress: $0, length: size) }?.description == "2001:db8::7")
        }
    }

    @Test("A socket address of another family gives none") func socketAddressOther() {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        #expect(IPAddress(socketAddress: &address, length: MemoryLayout<sockaddr_un>.size) == nil)
    }

    @Test("Whatever number an address is, its text reads back as it") func roundTrip() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            let four = IPAddress.v4(.random(in: .min ... .max, using: &generator))
            let six = IPAddress.v6(
                .random(in: .min ... .max, using: &generator) >> Int.random(in: 0...128, using: &generator))
            #expect(IPAddress(four.description) == four)
            #expect(IPAddress(six.description) == six)
        }
    }
}
