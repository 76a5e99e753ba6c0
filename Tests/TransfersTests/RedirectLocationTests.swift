import Addresses
import Testing

@testable import Transfers

/// Where a Location leads, as RFC 3986 has it.
struct RedirectLocationTests {
    @Test(arguments: [
        ("/x", "http://a.test:8080/x"), ("y", "http://a.test:8080/b/y"), ("../y", "http://a.test:8080/y"),
        ("?z", "http://a.test:8080/b/c?z"), ("//e.test/f", "http://e.test/f"),
        ("/a b?c d", "http://a.test:8080/a%20b?c%20d"), ("/%41?%zz", "http://a.test:8080/%41?%25zz"),
        ("https://e.test/", "https://e.test/"), ("file:///etc/passwd", "file:///etc/passwd"),
        ("data:image/png,x", "data:image/png,x"), ("//ü.test/ö", "http://ü.test/ö"),
        ("#z", "http://a.test:8080/b/c?d"), ("#", "http://a.test:8080/b/c?d"),
        ("?y#z", "http://a.test:8080/b/c?y#z"),
        ("/ö", "http://a.test:8080/%C3%B6"),
    ])
    func `a location is taken from where it was found`(location: String, target: String) throws {
        let base = try WebURL("http://a.test:8080/b/c?d")
        #expect(RedirectLocation.resolve(location, from: base) == target)
    }
}
