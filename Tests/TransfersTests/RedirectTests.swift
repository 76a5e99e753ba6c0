import Addresses
import Stories
import TestOrigins
import TestSupport
import Testing

@testable import Transfers

/// Where redirects may lead.
@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
    private let picture = SampleImages.jpeg(seed: 3, bytes: 2000)

    @Test(arguments: ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"])
    func `a redirect is followed, and only the picture is stored`(status: String) async throws {
        let fixture = try TransferFixture()
        fixture.origin.script("/a/old", .redirect(to: "../new?x=ä b", status: status))
        fixture.origin.script("/new", .ok(picture))
        let file = try fixture.file()
        _ = try await fixture.fetch("/a/old", into: file).get()
        #expect(try content(of: file) == picture)
        #expect(fixture.origin.requests.last?.target == "/new?x=%C3%A4%20b")
        #expect(fixture.origin.connections == 1)
    }

    @Test func `five hops are followed, six are too many, and so is a loop`() async throws {
        let fixture = try TransferFixture()
        for hop in 1...6 { fixture.origin.script("/\(hop)", .redirect(to: "/\(hop + 1)")) }
        fixture.origin.script("/7", .ok(picture))
        _ = try await fixture.fetch("/2").get()
        #expect(try await fixture.failure("/1").code == .redirects)
        fixture.origin.script("/loop", .redirect(to: "/loop"))
        #expect(try await fixture.failure("/loop").code == .redirects)
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/", "data:image/png;base64,AAAA", "javascript:1",
    ])
    func `a redirect to another scheme is denied at once`(location: String) async throws {
        let fixture = try TransferFixture()
        let failure = try await fixture.failure(of: .redirect(to: location))
        #expect(failure.code == .schemeDenied)
        #expect(!failure.mayPass)
        #expect(fixture.origin.requests.count == 1)
    }

    @Test func `a redirect to what is no URL, or too long a one, is told`() async throws {
        let fixture = try TransferFixture()
        #expect(try await fixture.failure(of: .redirect(to: "http://user:secret@127.0.0.1/")).code == .badURL)
        #expect(try await fixture.failure(of: .redirect(to: "http://")).code == .badURL)
        let long = "/" + String(repeating: "a", count: 8192)
        #expect(try await fixture.failure(of: .redirect(to: long)).code == .urlTooLong)
        #expect(try await fixture.failure(of: .status("302 Found")).code == .badResponse)
    }

    @Test func `a redirect to an address that is not public is denied, and nothing connects there`() async throws {
        let other = try ScriptedOrigin()
        let fixture = try TransferFixture {
            $0.addresses = AddressPolicy(allowed: ["127.0.0.1"].compactMap { AddressRange($0) })
        }
        let failure = try await fixture.failure(of: .redirect(to: "http://127.0.0.2:\(other.port)/"))
        #expect(failure.code == .addressDenied)
        #expect(other.connections == 0)
    }

    @Test func `the body of a redirect that never ends is not waited for`() async throws {
        let fixture = try TransferFixture()
        let head = ScriptedAnswer.head("HTTP/1.1 302 Found", "Location: /p")
        fixture.origin.script("/endless", ScriptedAnswer(.bytes(head), .endless(Array("moved ".utf8))))
        fixture.origin.script("/p", .ok(picture))
        _ = try await fixture.fetch("/endless").get()
    }

    @Test func `a picture's time runs over all its hops`() async throws {
        let fixture = try TransferFixture {
            $0.pageTimeout = .milliseconds(300)
            $0.maxRedirects = 20
        }
        let head = ScriptedAnswer.head("HTTP/1.1 302 Found", "Location: /p", "Content-Length: 0")
        fixture.origin.script("/p", ScriptedAnswer(.drip(head, every: .milliseconds(1))))
        #expect(try await fixture.failure("/p").code == .timeout)
    }
}
