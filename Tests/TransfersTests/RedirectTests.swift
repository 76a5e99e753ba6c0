import Addresses
import Stories
import TestSupport
import Testing

@testable import Transfers
import TestOrigins

/// Where redirects may lead.
@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
    private let picture = SampleImages.jpeg(seed: 3, bytes: 2000)

    @Test(arguments: ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"])
    func `a redirect is followed, and only the picture is stored`(status: String) async throws {
        let bench = try Bench()
        bench.origin.script("/a/old", .redirect(to: "../new?x=ä b", status: status))
        bench.origin.script("/new", .ok(picture))
        let file = try bench.file()
        _ = try await bench.fetch("/a/old", into: file).get()
        #expect(try content(of: file) == picture)
        #expect(bench.origin.requests.last?.target == "/new?x=%C3%A4%20b")
        #expect(bench.origin.connections == 1)
    }

    @Test func `five hops are followed, six are too many, and so is a loop`() async throws {
        let bench = try Bench()
        for hop in 1...6 { bench.origin.script("/\(hop)", .redirect(to: "/\(hop + 1)")) }
        bench.origin.script("/7", .ok(picture))
        _ = try await bench.fetch("/2").get()
        #expect(try await bench.failure("/1").code == .redirects)
        bench.origin.script("/loop", .redirect(to: "/loop"))
        #expect(try await bench.failure("/loop").code == .redirects)
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/", "data:image/png;base64,AAAA", "javascript:1",
    ])
    func `a redirect to another scheme is denied at once`(location: String) async throws {
        let bench = try Bench()
        let failure = try await bench.failure(of: .redirect(to: location))
        #expect(failure.code == .schemeDenied)
        #expect(!failure.mayPass)
        #expect(bench.origin.requests.count == 1)
    }

    @Test func `a redirect to what is no URL, or too long a one, is told`() async throws {
        let bench = try Bench()
        #expect(try await bench.failure(of: .redirect(to: "http://user:secret@127.0.0.1/")).code == .badURL)
        #expect(try await bench.failure(of: .redirect(to: "http://")).code == .badURL)
        let long = "/" + String(repeating: "a", count: 8192)
        #expect(try await bench.failure(of: .redirect(to: long)).code == .urlTooLong)
        #expect(try await bench.failure(of: .status("302 Found")).code == .badResponse)
    }

    @Test func `a redirect to an address that is not public is denied, and nothing connects there`() async throws {
        let other = try ScriptedOrigin()
        let bench = try Bench { $0.addresses = AddressPolicy(allowed: ["127.0.0.1"].compactMap { AddressRange($0) }) }
        let failure = try await bench.failure(of: .redirect(to: "http://127.0.0.2:\(other.port)/"))
        #expect(failure.code == .addressDenied)
        #expect(other.connections == 0)
    }

    @Test func `the body of a redirect that never ends is not waited for`() async throws {
        let bench = try Bench()
        let head = ScriptedAnswer.head("HTTP/1.1 302 Found", "Location: /p")
        bench.origin.script("/endless", ScriptedAnswer(.bytes(head), .endless(Array("moved ".utf8))))
        bench.origin.script("/p", .ok(picture))
        _ = try await bench.fetch("/endless").get()
    }

    @Test func `a picture's time runs over all its hops`() async throws {
        let bench = try Bench {
            $0.pageTimeout = .milliseconds(300)
            $0.maxRedirects = 20
        }
        let head = ScriptedAnswer.head("HTTP/1.1 302 Found", "Location: /p", "Content-Length: 0")
        bench.origin.script("/p", ScriptedAnswer(.drip(head, every: .milliseconds(1))))
        #expect(try await bench.failure("/p").code == .timeout)
    }
}
