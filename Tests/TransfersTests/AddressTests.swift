import Addresses
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Transfers

/// Which addresses are reached, and how names come to them.
@Suite(.timeLimit(.minutes(1)))
struct AddressTests {
    private let picture = SampleImages.jpeg(seed: 4, bytes: 2000)

    @Test(arguments: [
        "127.0.0.1", "0.0.0.0", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost",
    ])
    func `this machine is not reached in any spelling, and no connection is opened`(host: String) async throws {
        let fixture = try TransferFixture { $0.addresses = AddressPolicy() }
        let failure = try await fixture.failure("http://\(host):\(fixture.origin.port)/picture?secret")
        #expect(failure.code == .addressDenied)
        #expect(!failure.mayPass)
        #expect(!failure.message.contains("secret"))
        #expect(fixture.origin.connections == 0)
    }

    @Test func `a name with one refused address among others is refused`() async throws {
        let answers = ["93.184.216.34", "127.0.0.1"].compactMap { IPAddress($0) }
        let fixture = try TransferFixture({ $0.addresses = AddressPolicy() }, lookUp: { _ in .success(answers) })
        let failure = try await fixture.failure("http://origin.test:\(fixture.origin.port)/")
        #expect(failure.code == .addressDenied)
        #expect(fixture.origin.connections == 0)
    }

    @Test func `the address that was checked is the one that is reached`() async throws {
        let asked = Asked()
        let fixture = try TransferFixture(lookUp: { host in
            asked.count(host)
            return .success([.v4(0x7f00_0001)])
        })
        fixture.origin.script("/p", .ok(picture))
        for host in ["origin.test", "origin.test.", "ORIGIN.test"] {
            _ = try await fixture.fetch("http://\(host):\(fixture.origin.port)/p").get()
        }
        #expect(asked.hosts == ["origin.test", "origin.test."])
        #expect(fixture.origin.requests.first?.header("host") == "origin.test:\(fixture.origin.port)")
    }

    @Test func `a name is tried at its next address where the first does not answer`() async throws {
        let fixture = try TransferFixture(lookUp: { _ in .success([.v4(0x7f00_0002), .v6(1), .v4(0x7f00_0001)]) })
        fixture.origin.script("/p", .ok(picture))
        _ = try await fixture.fetch("http://origin.test:\(fixture.origin.port)/p").get()
    }

    @Test func `a name that is not found is dns`() async throws {
        let fixture = try TransferFixture(lookUp: { _ in .failure(LookupFailure(message: "no such name")) })
        let failure = try await fixture.failure("http://nowhere.test/")
        #expect(failure.code == .dns)
        #expect(failure.mayPass)
    }

    @Test func `the system's resolver knows this machine, and says what it does not find`() throws {
        let addresses = try Resolver.system("localhost").get()
        #expect(addresses.contains(.v4(0x7f00_0001)) || addresses.contains(.v6(1)))
        // A label of more than 63 bytes fits in no question, so that none is sent.
        guard case .failure = Resolver.system(String(repeating: "a", count: 64) + ".invalid") else {
            Issue.record("it was found")
            return
        }
    }

    @Test func `a port where nobody listens is connect`() async throws {
        let fixture = try TransferFixture()
        let nobody = try LoopbackSocket.reserve()
        let failure = try await fixture.failure("http://127.0.0.1:\(try LoopbackSocket.port(of: nobody))/")
        #expect(failure.code == .connect)
        #expect(failure.mayPass)
    }

    @Test func `plain http is denied where only https is spoken`() async throws {
        let fixture = try TransferFixture { $0.allowHTTP = false }
        #expect(try await fixture.failure("/p").code == .schemeDenied)
        #expect(fixture.origin.connections == 0)
    }

    @Test func `behind a proxy names go to it, and refused addresses do not`() async throws {
        let proxy = try ScriptedOrigin()
        let fixture = try TransferFixture {
            $0.proxy = "http://127.0.0.1:\(proxy.port)"
            $0.addresses = AddressPolicy()
        }
        proxy.script("http://origin.test/p", .ok(picture))
        _ = try await fixture.fetch("http://origin.test/p").get()
        #expect(try await fixture.failure("http://10.0.0.1/p").code == .addressDenied)
        #expect(proxy.requests.map(\.target) == ["http://origin.test/p"])
    }

    @Test(arguments: ["socks5", "SOCKS5", "socks5h"])
    func `behind a SOCKS proxy of either kind, too`(scheme: String) async throws {
        guard case .bytes(let answer)? = ScriptedAnswer.ok(picture, headers: ["Connection: close"]).steps.first else {
            Issue.record("an answer without bytes")
            return
        }
        let proxy = try SocksProxy(answer: answer)
        let asked = Asked()
        let fixture = try TransferFixture(
            {
                $0.proxy = "\(scheme)://127.0.0.1:\(proxy.port)"
                $0.addresses = AddressPolicy()
            },
            lookUp: { host in
                asked.count(host)
                return .failure(LookupFailure(message: "not here"))
            })
        // A name that this machine knows, so that a look-up here would succeed.
        _ = try await fixture.fetch("http://localhost/p").get()
        #expect(try await fixture.failure("http://10.0.0.1/p").code == .addressDenied)
        #expect(proxy.targets == ["localhost"])
        #expect(asked.hosts.isEmpty)
    }

    @Test func `a resolver that never answers fails its own look-ups alone, and does not hold up the end`() async throws
    {
        let gate = try Gate()
        defer { gate.open() }
        let fixture = try TransferFixture(
            { $0.connectTimeout = .milliseconds(100) },
            lookUp: { host in
                if host == "origin.test" { return .success([.v4(0x7f00_0001)]) }
                gate.waitUntilOpen()
                return .failure(LookupFailure(message: "too late"))
            })
        fixture.origin.script("/p", .ok(picture))
        let failure = try await fixture.failure("http://hung.test/")
        #expect(failure.code == .dns)
        #expect(failure.message.contains("timed out"))
        var patient = TransferFixture.options
        patient.connectTimeout = .seconds(3600)
        fixture.loop.update(patient)
        _ = try await fixture.fetch("http://origin.test:\(fixture.origin.port)/p").get()
        async let last = fixture.failure("http://also.hung.test/")
        #expect(await eventually { fixture.loop.statistics.active == 1 })
        await fixture.loop.stop()
        #expect(try await last == .cancelled)
    }
}
