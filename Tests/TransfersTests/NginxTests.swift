import Addresses
import Foundation
import Hashing
import Platform
import Stories
import TestSupport
import Testing

@testable import Transfers

/// A real server: HTTP/1.1, and HTTP/2 over TLS.
@Suite(.timeLimit(.minutes(1)))
struct NginxTests {
    private func fetchAll(_ fixture: TransferFixture, _ urls: [String]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for url in urls { group.addTask { _ = try await fixture.fetch(url).get() } }
            try await group.waitForAll()
        }
    }

    @Test func `over HTTP/1.1 pictures come whole and connections are used again`() async throws {
        let nginx = try await NginxOrigin()
        let fixture = try TransferFixture()
        for index in 0..<10 { try nginx.serve(SampleImages.jpeg(seed: index, bytes: 100_000), at: "/\(index).jpg") }
        for index in 0..<10 {
            let download = try await fixture.fetch(nginx.url("/\(index).jpg")).get()
            #expect(download.bytes == 100_000)
            #expect(download.response.etag != nil)
        }
        #expect(try await eventually { try nginx.requests().count == 10 })
        let requests = try nginx.requests()
        #expect(Set(requests.map(\.version)) == ["HTTP/1.1"])
        #expect(Set(requests.map(\.connection)).count == 1)
    }

    @Test func `over TLS a hundred pictures share one connection of HTTP/2`() async throws {
        let nginx = try await NginxOrigin()
        let authority = try await TestAuthority.shared().certificateFile
        let fixture = try TransferFixture { $0.caFile = authority }
        for index in 0..<100 { try nginx.serve(SampleImages.png(seed: index, bytes: 50_000), at: "/\(index).png") }
        try await fetchAll(fixture, (0..<100).map { nginx.secureURL("/\($0).png") })
        #expect(try await eventually { try nginx.requests().count == 100 })
        let requests = try nginx.requests()
        #expect(Set(requests.map(\.version)) == ["HTTP/2.0"])
        #expect(Set(requests.map(\.connection)).count == 1)
    }

    @Test func `a connection of HTTP/2 that has gone silent is not used again`() async throws {
        let nginx = try await NginxOrigin()
        let authority = try await TestAuthority.shared().certificateFile
        let fixture = try TransferFixture {
            $0.caFile = authority
            $0.stallTimeout = .milliseconds(300)
        }
        for index in 1...3 { try nginx.serve(SampleImages.jpeg(seed: index), at: "/\(index).jpg") }
        _ = try await fixture.fetch(nginx.secureURL("/1.jpg")).get()
        nginx.freeze()
        #expect(try await fixture.failure(nginx.secureURL("/2.jpg")).code == .stalled)
        nginx.resume()
        _ = try await fixture.fetch(nginx.secureURL("/3.jpg")).get()
        #expect(try await eventually { try nginx.requests("/3.jpg").count == 1 })
        #expect(try nginx.requests("/1.jpg").map(\.connection) != nginx.requests("/3.jpg").map(\.connection))
    }

    @Test func `a certificate of an authority that nobody knows is tls, and will not pass`() async throws {
        let nginx = try await NginxOrigin()
        let failure = try await TransferFixture().failure(nginx.secureURL("/p?secret"))
        #expect(failure.code == .tls)
        #expect(!failure.mayPass)
        #expect(!failure.message.contains("secret"))
        let authority = try await TestAuthority.shared().certificateFile
        let fixture = try TransferFixture({ $0.caFile = authority }, lookUp: { _ in .success([.v4(0x7f00_0001)]) })
        let other = try await fixture.failure(nginx.secureURL("/p", host: "another.test"))
        #expect(other.code == .tls)
        #expect(try nginx.requests().isEmpty)
    }

    @Test func `an origin that speaks no TLS is tls`() async throws {
        let nginx = try await NginxOrigin()
        let failure = try await TransferFixture().failure("https://127.0.0.1:\(nginx.port)/p")
        #expect(failure.code == .tls)
    }

    @Test func `from https to http is denied`() async throws {
        let nginx = try await NginxOrigin()
        let authority = try await TestAuthority.shared().certificateFile
        let fixture = try TransferFixture { $0.caFile = authority }
        let failure = try await fixture.failure(nginx.secureURL("/redirect?to=http://127.0.0.1:\(nginx.port)/p"))
        #expect(failure.code == .schemeDenied)
    }

    @Test func `a host's own headers go to it over https, and nowhere else`() async throws {
        let nginx = try await NginxOrigin()
        let authority = try await TestAuthority.shared().certificateFile
        let fixture = try TransferFixture(
            {
                $0.caFile = authority
                $0.headers = ["Localhost": ["X-Token": "abc"], "origin.test": ["X-Token": "def"]]
            }, lookUp: { _ in .success([.v4(0x7f00_0001)]) })
        for name in ["/1", "/2", "/3"] { try nginx.serve(SampleImages.jpeg(), at: name) }
        _ = try await fixture.fetch(nginx.secureURL("/1")).get()
        _ = try await fixture.fetch("http://localhost:\(nginx.port)/2").get()
        _ = try await fixture.fetch(
            nginx.secureURL("/redirect?to=\(nginx.secureURL("/3", host: "origin.test"))")
        ).get()
        #expect(try await eventually { try nginx.requests().count == 4 })
        #expect(try nginx.requests("/1").map(\.token) == ["abc"])
        #expect(try nginx.requests("/2").map(\.token) == ["-"])
        #expect(try nginx.requests("/3").map(\.token) == ["-"])
    }
}
