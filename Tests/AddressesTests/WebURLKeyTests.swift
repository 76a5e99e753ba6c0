import Testing

@testable import Addresses

@Suite("The key of a URL") struct WebURLKeyTests {
    @Test(
        "All spellings of one address have one key",
        arguments: [
            [
                "http://example.com/a%20b/%C3%A4?q=%7E", "HTTP://EXAMPLE.COM/a b/ä?q=~",
                "http://example.com:80/a b/ä?q=%7e",
                "http://example.com/a%20b/%c3%a4?q=~#top", "http://example.com:080/x/../a b/./ä?q=~#bottom",
                "http://ex%61mple.com:/%61%20b/%C3%a4?%71=~", "http://example.com/x/%2e%2E/a b/%2e/ä?q=~#",
            ],
            [
                "http://example.com", "http://example.com/", "http://example.com:80#x", "http://example.com/?",
                "http://example.com/.",
            ],
            ["https://h/x#a", "https://h/x#b", "https://h:443/x", "https://H/x"],
            [
                "http://bücher.example/", "http://BÜCHER.example", "http://xn--bcher-kva.example:80/",
                "http://b%c3%bccher.example",
            ],
            ["http://127.0.0.1/", "http://2130706433/", "http://0x7f.1", "http://１２７.0.0.1:80/"],
            ["http://[::1]/", "http://[0:0:0:0:0:0:0:1]:80/"],
            ["http://[2001:DB8::1]/", "http://[2001:db8:0::1]/"],
            ["http://h/%zz", "http://h/%25zz"],
            ["http://h/a\\b", "http://h/a%5cb", "http://h/a%5Cb"],
        ]
    ) func oneKey(spellings: [String]) throws {
        let keys = try spellings.map { try WebURL($0).key }
        #expect(Set(keys).count == 1, "\(keys)")
    }

    @Test("Addresses that differ have keys that differ") func distinctKeys() throws {
        let texts = [
            "http://h/", "https://h/", "http://h:443/", "http://h:8080/", "http://i/", "http://h./", "http://h/a",
            "http://h/A",
            "http://h/a/", "http://h//a", "http://h/?a", "http://h/a?b", "http://h/a?B",
            "http://h/a?b&c",
            "http://h/a?c&b", "http://h/a%2Fb", "http://h/a/b", "http://h/a%3Fb", "http://h/a+b", "http://h/a%20b",
            "http://h/a%2Bb", "http://h/%2541", "http://h/e%CC%81", "http://h/%C3%A9",
        ]
        #expect(Set(try texts.map { try WebURL($0).key }).count == texts.count)
    }

    @Test(
        "Ignored parameters are left out, the rest stays in its order",
        arguments: [
            (["sig"], "?a=1&sig=x&b=2", "?a=1&b=2"),
            (["sig"], "?sig=x", ""),
            (["sig"], "?sig", ""),
            (["sig"], "?sig=x&sig=y&Sig=z&sign=1&a=sig", "?Sig=z&sign=1&a=sig"),
            (["X-Amz-*"], "?X-Amz-Date=1&v=2&X-Amz-Signature=ab%2Fcd&x-amz-a=3", "?v=2&x-amz-a=3"),
            (["X-Amz-*", "Expires"], "?Expires=1&X-Amz-=2&Expires2=3", "?Expires2=3"),
            (["*"], "?a=1&b", ""),
            (["a*b"], "?a*b=1&axb=2", "?axb=2"),
            (["s=g"], "?s%3Dg=1&s=g", "?s=g"),
            (["sïg"], "?s%C3%AFg=1&sïg=2&x", "?x"),
            (["s g"], "?s%20g=1&s g=2&x", "?x"),
            (["b"], "?a&&b&", "?a&&"),
            ([], "?a=1&b=2", "?a=1&b=2"),
            (["a"], "", ""),
        ] as [([String], String, String)]
    ) func ignoredParameters(patterns: [String], query: String, expected: String) throws {
        let url = try WebURL("https://example.com/p" + query)
        #expect(url.key(ignoring: patterns) == "https://example.com/p" + expected)
    }

    @Test("Without ignored parameters the key is the plain one") func noPatterns() throws {
        let url = try WebURL("https://example.com/p?a=%7e&b")
        #expect(url.key(ignoring: []) == url.key)
        #expect(url.key(ignoring: ["c"]) == url.key)
    }
}
