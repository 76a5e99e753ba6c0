import Addresses
import Stories
import TestSupport
import Testing

@testable import Transfers
import TestOrigins

/// Which addresses are reached, and how names come to them.
@Suite(.timeLimit(.minutes(1)))
struct AddressTests {
    private let picture = SampleImages.jpeg(seed: 4, bytes: 2000)

    @Test(arguments: [
        "127.0.0.1", "0.0.0.0", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost",
    ])
    func `this machine is not reached in any spelling, and no connection is opened`(host: String) async throws {
        let bench = try Bench { $0.addresses = AddressPolicy() }
        let failure = try await bench.failure("http://\(host):\(bench.origin.port)/picture?secret")
        #expect(failure.code == .addressDenied)
        #expect(!failure.mayPass)
        #expect(!failure.message.contains("secret"))
        #expect(bench.origin.connections == 0)
    }

    @Test func `a name with one refused address among others is refused`() async throws {
        let answers = ["93.184.216.34", "127.0.0.1"].compactMap { IPAddress($0) }
        let bench = try Bench({ $0.addresses = AddressPolicy() }, lookUp: { _ in .success(answers) })
        let failure = try await bench.failure("http://origin.test:\(bench.origin.port)/")
        #expect(failure.code == .addressDenied)
        #expect(bench.origin.connections == 0)
    }

    @Test func `the address that was checked is the one that is reached`() async throws {
        let asked = Asked()
        let bench = try Bench(lookUp: { host in
            asked.count(host)
            return .success([.v4(0x7f00_0001)])
        })
        bench.origin.script("/p", .ok(picture))
        for host in ["origin.test", "origin.test.", "ORIGIN.test"] {
            _ = try await bench.fetch("http://\(host):\(bench.origin.port)/p").get()
        }
        #expect(asked.hosts == ["origin.test", "origin.test."])
        #expect(bench.origin.requests.first?.header("host") == "origin.test:\(bench.origin.port)")
    }

    @Test func `a name is tried at its next address where the first does not answer`() async throws {
        let bench = try Bench(lookUp: { _ in .success([.v4(0x7f00_0002), .v6(1), .v4(0x7f00_0001)]) })
        bench.origin.script("/p", .ok(picture))
        _ = try await bench.fetch("http://origin.test:\(bench.origin.port)/p").get()
    }

    @Test func `a name that is not found is dns`() async throws {
        let bench = try Bench(lookUp: { _ in .failure(LookupFailure(message: "no such name")) })
        let failure = try await bench.failure("http://nowhere.test/")
        #expect(failure.code == .dns)
        #expect(failure.mayPass)
    }

    @Test func `the system's resolver knows this machine, and says what it does not find`() throws {
        let addresses = try Resolver.system("localhost").get()
        #expect(addresses.contains(.v4(0x7f00_0001)) || addresses.contains(.v6(1)))
        guard case .failure = Resolver.system("a.name.that.is.invalid") else {
            Issue.record("it was found")
            return
        }
    }

    @Test func `a port where nobody listens is connect`() async throws {
        let bench = try Bench()
        let nobody = try LoopbackSocket.reserve()
        let failure = try await bench.failure("http://127.0.0.1:\(try LoopbackSocket.port(of: nobody))/")
        #expect(failure.code == .connect)
        #expect(failure.mayPass)
    }

    @Test func `plain http is denied where only https is spoken`() async throws {
        let bench = try Bench { $0.allowHTTP = false }
        #expect(try await bench.failure("/p").code == .schemeDenied)
        #expect(bench.origin.connections == 0)
    }

    @Test func `behind a proxy names go to it, and refused addresses do not`() async throws {
        let proxy = try ScriptedOrigin()
        let bench = try Bench {
            $0.proxy = "http://127.0.0.1:\(proxy.port)"
            $0.addresses = AddressPolicy()
        }
        proxy.script("http://origin.test/p", .ok(picture))
        _ = try await bench.fetch("http://origin.test/p").get()
        #expect(try await bench.failure("http://10.0.0.1/p").code == .addressDenied)
        #expect(proxy.requests.map(\.target) == ["http://origin.test/p"])
    }

    @Test func `a resolver that never answers fails its own look-ups alone, and does not hold up the end`() async throws
    {
        let gate = try Gate()
        defer { gate.open() }
        let bench = try Bench(
            { $0.connectTimeout = .milliseconds(100) },
            lookUp: { host in
                if host == "origin.test" { return .success([.v4(0x7f00_0001)]) }
                gate.waitUntilOpen()
                return .failure(LookupFailure(message: "too late"))
            })
        bench.origin.script("/p", .ok(picture))
        let failure = try await bench.failure("http://hung.test/")
        #expect(failure.code == .dns)
        #expect(failure.message.contains("timed out"))
        _ = try await bench.fetch("http://origin.test:\(bench.origin.port)/p").get()
        var patient = Bench.options
        patient.connectTimeout = .seconds(3600)
        bench.loop.update(patient)
        async let last = bench.failure("http://also.hung.test/")
        #expect(await eventually { bench.loop.statistics.active == 1 })
        await bench.loop.stop()
        #expect(try await last == .cancelled)
    }
}
