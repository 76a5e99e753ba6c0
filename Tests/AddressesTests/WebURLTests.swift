import Glibc
import Testing

@testable import Addresses

@Suite("URLs that may be requested") struct WebURLTests {
    @Test(
        "A URL is taken apart into what is requested and where",
        arguments: [
            ("http://example.com", "http://example.com/", "example.com", 80),
            ("HTTPS://EXAMPLE.com:443/A", "https://example.com/A", "example.com", 443),
            ("http://example.com:443/", "http://example.com:443/", "example.com", 443),
            ("http://example.com:080/", "http://example.com/", "example.com", 80),
            ("http://example.com:/", "http://example.com/", "example.com", 80),
            ("http://example.com:65535/", "http://example.com:65535/", "example.com", 65535),
            ("http://example.com?q=1", "http://example.com/?q=1", "example.com", 80),
            ("http://example.com/?", "http://example.com/", "example.com", 80),
            ("http://example.com#top", "http://example.com/", "example.com", 80),
            ("http://example.com/a?b?c#d#e?f", "http://example.com/a?b?c", "example.com", 80),
            ("http://example.com/a#b?c", "http://example.com/a", "example.com", 80),
            ("http://example.com/a/../b/./c", "http://example.com/b/c", "example.com", 80),
            ("http://example.com/../../x/..", "http://example.com/", "example.com", 80),
            ("http://example.com/a?x=/../y", "http://example.com/a?x=/../y", "example.com", 80),
            ("http://example.com/a//b", "http://example.com/a//b", "example.com", 80),
            ("http://example.com/user@home", "http://example.com/user@home", "example.com", 80),
            ("http://example.com/http://u:p@h/", "http://example.com/http://u:p@h/", "example.com", 80),
            ("http://my_bucket.example.com/", "http://my_bucket.example.com/", "my_bucket.example.com", 80),
            ("http://ex%61mple.com/", "http://example.com/", "example.com", 80),
            ("http://example.com./", "http://example.com./", "example.com.", 80),
            ("http://localhost/", "http://localhost/", "localhost", 80),
            ("http://3com.com/", "http://3com.com/", "3com.com", 80),
            ("http://0xcafe.example/", "http://0xcafe.example/", "0xcafe.example", 80),
        ]
    ) func takenApart(text: String, request: String, host: String, port: Int) throws {
        let url = try WebURL(text)
        #expect(url.request == request)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.literalAddress == nil)
        #expect(url.isSecure == (url.scheme == .https))
        #expect(url.origin == "\(url.scheme)://\(host):\(port)")
    }

    @Test(
        "What may not stand in a request is escaped; escapes stay as they came",
        arguments: [
            ("/a b?c d", "/a%20b?c%20d"),
            ("/ä?ü=ö", "/%C3%A4?%C3%BC=%C3%B6"),
            ("/日本/🎉", "/%E6%97%A5%E6%9C%AC/%F0%9F%8E%89"),
            ("/%zz/%4/%?%", "/%25zz/%254/%25?%25"),
            ("/%%41", "/%25%41"),
            ("/%c3%a4%C3%A4%41%7e%2F", "/%c3%a4%C3%A4%41%7e%2F"),
            ("/a\\b?c\\d", "/a%5Cb?c%5Cd"),
            ("/\"<>^`{|}?\"<>^`{|}", "/%22%3C%3E%5E%60%7B%7C%7D?%22%3C%3E%5E%60%7B%7C%7D"),
            ("/-._~!$&'()*+,;=:@[]", "/-._~!$&'()*+,;=:@[]"),
            ("/%00%0d%0aHost:%20evil", "/%00%0d%0aHost:%20evil"),
            ("/\u{a0}\u{85}\u{2028}", "/%C2%A0%C2%85%E2%80%A8"),
            ("/e\u{301}", "/e%CC%81"),
            ("/\u{301}", "/%CC%81"),
        ]
    ) func escaped(target: String, expected: String) throws {
        #expect(try WebURL("https://example.com" + target).request == "https://example.com" + expected)
    }

    @Test(
        "An international host becomes punycode, whatever the locale of the process",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
            ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("b%C3%BCcher.example", "xn--bcher-kva.example"),
            ("XN--bcher-kva.example", "xn--bcher-kva.example"), ("faß.de", "xn--fa-hia.de"), ("☃.net", "xn--n3h.net"),
            ("例え.jp", "xn--r8jz45g.jp"), ("ⓔxample.com", "example.com"),
        ]
    ) func internationalHosts(host: String, ascii: String) throws {
        let url = try WebURL("http://\(host):8080/x")
        #expect(url.host == ascii)
        #expect(url.request == "http://\(ascii):8080/x")
    }

    @Test("Converting a host leaves the thread's locale as it was") func localeStays() throws {
        let before = uselocale(nil)
        _ = try WebURL("http://bücher.example/")
        #expect(uselocale(nil) == before)
    }

    @Test(
        "Each spelling of a literal address is known as that address",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0x7f.1", "127.0.0.1"),
            ("0X7F000001", "127.0.0.1"),
            ("017700000001", "127.0.0.1"), ("127.1", "127.0.0.1"), ("0", "0.0.0.0"), ("%31%32%37.0.0.1", "127.0.0.1"),
            ("１２７.0.0.1", "127.0.0.1"), ("127。0。0。1", "127.0.0.1"), ("169.254.169.254", "169.254.169.254"),
            ("[::1]", "::1"), ("[0:0:0:0:0:0:0:1]", "::1"), ("[::FFFF:127.0.0.1]", "::ffff:127.0.0.1"),
            ("[::ffff:7f00:1]", "::ffff:127.0.0.1"), ("[64:ff9b::7f00:1]", "64:ff9b::7f00:1"),
            ("[2001:DB8::1]", "2001:db8::1"),
        ]
    ) func literalAddresses(host: String, address: String) throws {
        let url = try WebURL("http://\(host)/")
        #expect(url.literalAddress == IPAddress(address))
        #expect(url.host == address)
        let bracketed = address.contains(":") ? "[\(address)]" : address
        #expect(url.request == "http://\(bracketed)/")
        #expect(url.origin == "http://\(bracketed):80")
    }

    @Test(
        "What cannot be requested is bad",
        arguments: [
            "", "x", "/x", "//example.com/x", "example.com", "example.com/x:y", "://example.com", ":", "1http://h/",
            "ht tp://h/", "http", "http:", "http:/", "http://", "http:///x", "http:/x", "http:x", "http:////x",
            "http:\\\\h\\x",
            "http:/\\h", "https:example.com", "http://?x", "http://#x", "http://:80/", "http://:/",
            "http://u:p@h/", "http://u@h/", "http://@h/", "http://u:p@h@i/", "http://u%40h@i/", "http://%40h/",
            "http://good.example\\@evil.example/", "http://h\\x/", "http://h\\", "http://h%5Cx/",
            "http://h:0/", "http://h:65536/", "http://h:-1/", "http://h:+80/", "http://h:8a/", "http://h:%38%30/",
            "http://h:80:90/", "http://h:99999999999999999999/", "http://h: 80/", "http://[::1]x/", "http://[::1]:0/",
            "http://a b/", "http://a%20b/", "http://a%00b/", "http://a%0d%0ab/", "http://a%2fb/", "http://a%3a80/",
            "http://h|x/", "http://h%/", "http://h%25/", "http://h%zz/", "http://h\"x/", "http://h*x/", "http://h,x/",
            "http://a..b/", "http://.a/", "http://./", "http://a../",
            "http://\(String(repeating: "a", count: 64)).com/",
            "http://\(String(repeating: "a.", count: 128))com/",
            "http://[]/", "http://[::1", "http://::1/", "http://[1.2.3.4]/", "http://[v1.x]/", "http://[::1%25eth0]/",
            "http://[fe80::1%eth0]/", "http://[fe80::1%251]/", "http://[::1%25]/", "http://[::1%]/", "http://[x]/",
            "http://%ff/", "http://a℀b.com/", "http://ａ／ｂ.de/", "http://ａ＠ｂ.de/", "http://ａ：80/", "http://\u{ad}.com/",
            "http://a\u{202e}.com/", "http://ü|x.de/", "http://xn--a.bü/",
            // Numbers that libcurl does not read as an address, and others might.
            "http://1.2.3.4.5/", "http://256.1.1.1/", "http://99999999999/", "http://08.1.1.1/", "http://127.0.0.1./",
            "http://0x7f.0.0.0x1./", "http://example.1/", "http://a.0x/", "http://２１３０７０６４３３/",
            " http://h/", "http://h/ ", "http://h ", "\thttp://h/", "http://h/\n", "http://h/a\0b", "http://h\0.evil/",
            "http://h/a\tb", "http://h/a\r\nb", "http://h/\u{7f}", "http://h/#\u{1}", "ht\ntp://h/",
            // One character to Swift, two to HTTP.
            "http://h/\r\n",
        ]
    ) func bad(text: String) {
        let problem = #expect(throws: WebURL.Problem.self) { try WebURL(text) }
        guard case .bad(let reason)? = problem else {
            Issue.record("\(text): \(problem.map { String(describing: $0) } ?? "accepted")")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test(
        "A scheme other than http and https is denied, in any case and form",
        arguments: [
            ("file:///etc/passwd", "file"), ("FILE:/etc/passwd", "file"), ("ftp://h/x", "ftp"),
            ("JavaScript:alert(1)", "javascript"), ("data:image/png;base64,AA", "data"), ("gopher://h/x", "gopher"),
            ("unix:///run/x.sock", "unix"), ("httpx://h/", "httpx"), ("http+unix://h/", "http+unix"),
            ("localhost:8080/x", "localhost"), ("a:", "a"), ("view-source:http://h/", "view-source"),
        ]
    ) func schemeDenied(text: String, scheme: String) {
        #expect(throws: WebURL.Problem.schemeDenied(scheme)) { try WebURL(text) }
    }

    @Test("A scheme of any length is told briefly") func longScheme() {
        let scheme = String(repeating: "a", count: 4000)
        #expect(throws: WebURL.Problem.schemeDenied(String(repeating: "a", count: 32))) { try WebURL(scheme + "://h/") }
    }

    @Test("Where only https is allowed, http is denied") func httpsOnly() throws {
        #expect(throws: WebURL.Problem.schemeDenied("http")) { try WebURL("HTTP://h/", allowHTTP: false) }
        #expect(try WebURL("https://h/", allowHTTP: false).isSecure)
    }

    @Test("8 KB is not too long, one byte more is, counted as UTF-8 and before all else") func length() throws {
        let path = "http://h/" + String(repeating: "a", count: 8192 - 9)
        #expect(try WebURL(path).request.utf8.count == 8192)
        #expect(throws: WebURL.Problem.tooLong(limit: 8192)) { try WebURL(path + "a") }
        #expect(throws: WebURL.Problem.tooLong(limit: 8192)) { try WebURL(String(repeating: "a", count: 65536)) }
        #expect(throws: WebURL.Problem.tooLong(limit: 10)) { try WebURL("ftp://\0@ä/", maximumBytes: 10) }
        let umlauts = "http://h/" + String(repeating: "ä", count: 4091)
        #expect(try WebURL(umlauts).request.utf8.count == 9 + 3 * 2 * 4091)
        #expect(try WebURL("http://h/" + String(repeating: "a", count: 65536), maximumBytes: 70000).port == 80)
    }

    @Test("A redirect may go to https from anywhere and to http only from http") func redirects() throws {
        let plain = try WebURL("http://a.example/1")
        let secure = try WebURL("https://a.example/1")
        #expect(try plain.redirect(to: "http://b.example/2").request == "http://b.example/2")
        #expect(try plain.redirect(to: "https://b.example/2").isSecure)
        #expect(try secure.redirect(to: "https://b.example/2").isSecure)
        #expect(throws: WebURL.Problem.schemeDenied("http")) { try secure.redirect(to: "http://a.example/2") }
        #expect(throws: WebURL.Problem.schemeDenied("http")) { try plain.redirect(to: "http://b/", allowHTTP: false) }
        #expect(throws: WebURL.Problem.tooLong(limit: 12)) { try plain.redirect(to: "http://b/1234", maximumBytes: 12) }
        for scheme in ["file", "ftp", "gopher", "data"] {
            #expect(throws: WebURL.Problem.schemeDenied(scheme)) { try plain.redirect(to: scheme + "://h/x") }
        }
    }

    @Test("What is printed of a URL or a problem holds no query, fragment or password") func printed() throws {
        let url = try WebURL("https://Example.com:8443/a b?token=s3cret&x=%3F?#s3cret")
        #expect(url.logDescription == "https://example.com:8443/a%20b?…")
        #expect(try WebURL("https://example.com/a#s3cret").logDescription == "https://example.com/a")
        for text in ["\(url)", String(describing: [url]), String(reflecting: url), String(describing: Optional(url))] {
            #expect(!text.contains("s3cret") && text.contains("example.com"))
        }
        for text in [
            "https://u:s3cret@h/", "s3cret", "https://h/\0?s3cret", "ftp://h/?s3cret", "https://s3cret|/?s3cret",
            "https://h:s3cret/", "https://h/?s3cret ", "https://[s3cret]/",
        ] {
            let problem = #expect(throws: WebURL.Problem.self) { try WebURL(text) }
            #expect(problem.map { !"\($0) \(String(reflecting: $0))".contains("s3cret") } == true)
        }
    }
}
