import TestSupport
import Testing

@testable import Addresses

@Suite("URLs, whatever the text") struct WebURLPropertyTests {
    @Test("Random bytes never trap") func randomBytes() {
        var generator = SeededGenerator(seed: 1)
        var accepted = 0
        for _ in 0..<3000 {
            // A control character is refused at once: half of the texts have none, to get further.
            let lowest: UInt8 = Bool.random(using: &generator) ? 0x20 : 0
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: lowest ... .max, using: &generator)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            accepted += [text, "http://" + text, "http://h/" + text].count { holds($0) }
        }
        #expect(accepted > 1000)
    }

    @Test("URLs with pieces changed, dropped, doubled and swapped never trap and stay consistent") func mutatedURLs() {
        var generator = SeededGenerator(seed: 2)
        var accepted = 0
        let seeds = [
            "http://example.com/a/b.jpg?x=1&y=2#z", "https://bücher.example:8443/ä b/%7e%zz?q=ö", "http://0x7f.1/",
            "HTTP://[2001:DB8::1]:80/../x", "http://127.1:8080/a/%2e%2e/b", "https://user:pw@h/x", "http:///x",
            "http://xn--bcher-kva.example/",
        ]
        let pieces = [
            "/", "//", "\\", ":", "@", "?", "#", "%", "%2e", "%2F", "%00", "%25", "..", ".", "[", "]", "::1", "0x", "９",
            "ü", "\u{ad}", "\u{301}", "\u{202e}", "／", " ", "\0", "\r\n", "\u{7f}", "&", "=", "xn--", "65536", "*", "|",
        ]
        for _ in 0..<6000 {
            var scalars = Array(seeds.randomElement(using: &generator).map { $0.unicodeScalars } ?? "".unicodeScalars)
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !scalars.isEmpty {
                let place = Int.random(in: 0..<scalars.count, using: &generator)
                let other = Int.random(in: 0..<scalars.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    scalars.insert(
                        contentsOf: (pieces.randomElement(using: &generator) ?? "").unicodeScalars, at: place)
                case 1: scalars.remove(at: place)
                case 2: scalars.swapAt(place, other)
                default: scalars.insert(contentsOf: scalars[min(place, other)...max(place, other)], at: place)
                }
            }
            accepted += holds(String(String.UnicodeScalarView(scalars))) ? 1 : 0
        }
        #expect(accepted > 1000)
    }

    /// Checks what is true of every URL that is accepted, however odd its text; false where it is refused.
    private func holds(_ text: String) -> Bool {
        // A refusal is a fine answer here; only what is accepted has properties.
        guard let url = try? WebURL(text) else { return false }
        #expect(url.request.utf8.allSatisfy { 0x21...0x7e ~= $0 && !"\"<>\\^`{|}#".utf8.contains($0) }, "\(text)")
        #expect(url.request.hasPrefix("http") && !url.origin.contains("@"), "\(text)")
        #expect(1...65535 ~= url.port, "\(text)")
        #expect(url.host.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789.-_:".utf8.contains($0) }, "\(text)")
        let printed = url.description
        #expect(!(printed.hasSuffix("?…") ? printed.dropLast(2) : printed[...]).contains("?"), "\(text)")
        #expect(!url.key(ignoring: ["*"]).contains("?"), "\(text)")
        // libcurl reads the request again when it fetches it, and the key is a URL too: neither may then mean another.
        let again = try? WebURL(url.request, maximumBytes: .max)
        #expect(again == url, "\(text)")
        let fromKey = try? WebURL(url.key, maximumBytes: .max)
        #expect(fromKey?.request == url.key && fromKey?.key == url.key && fromKey?.origin == url.origin, "\(text)")
        return true
    }
}
