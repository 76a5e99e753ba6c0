import Testing

@testable import Daemon

struct WrongConfigurationTests {
    /// A text of a file, the key that its error must name, and the remedy that it must hold.
    struct Wrong: CustomTestStringConvertible, Sendable {
        let text: String
        let key: String
        let remedy: String

        init(_ text: String, _ key: String, _ remedy: String) {
            (self.text, self.key, self.remedy) = (text, key, remedy)
        }

        var testDescription: String { text }
    }

    private static let numbers = [
        Wrong("{network: {concurrency: 0}}", "network.concurrency", "from 1 to 1024; found 0"),
        Wrong("{network: {concurrency: -1}}", "network.concurrency", "from 1 to 1024; found -1"),
        Wrong("{network: {concurrency: 1e10}}", "network.concurrency", "from 1 to 1024"),
        Wrong("{network: {per_host: 2.5}}", "network.per_host", "a whole number of transfers"),
        Wrong(
            "{network: {per_host: '4'}}", "network.per_host", "a whole number of transfers from 1 to 1024; found \"4\""),
        Wrong("{network: {per_host: true}}", "network.per_host", "a whole number"),
        Wrong(
            "{network: {per_host: null}}", "network.per_host", "a whole number of transfers from 1 to 1024; found null"),
        Wrong("{network: {max_attempts: NaN}}", "network.max_attempts", "from 1 to 100; found NaN"),
        Wrong("{network: {max_redirects: 51}}", "network.max_redirects", "from 0 to 50"),
        Wrong("{network: {max_bytes_per_second: Infinity}}", "network.max_bytes_per_second", "found Infinity"),
        Wrong(
            "{network: {connect_timeout: 0}}", "network.connect_timeout",
            "a number of seconds from 0.01 to 3600; found 0"),
        Wrong("{network: {stall_timeout: NaN}}", "network.stall_timeout", "from 0.01 to 3600; found NaN"),
        Wrong("{network: {page_timeout: -Infinity}}", "network.page_timeout", "from 0.01 to 86400; found -Infinity"),
        Wrong("{network: {retry_base: 0.009}}", "network.retry_base", "from 0.01 to 3600"),
        Wrong("{network: {retry_base: 1e400}}", "network.retry_base", "found Infinity"),
        Wrong("{network: {retry_horizon: -1}}", "network.retry_horizon", "from 0 to 31536000 (0: no new rounds)"),
        Wrong("{story_deadline: '25'}", "story_deadline", "a number of seconds"),
        Wrong("{story_deadline: 0}", "story_deadline", "from 0.1 to 86400"),
        Wrong("{inbox_rescan: []}", "inbox_rescan", "a number of seconds from 0.1 to 86400; found a list"),
        Wrong("{limits: {payload_bytes: 0}}", "limits.payload_bytes", "a whole number of bytes from 64"),
        Wrong("{limits: {pages: 0}}", "limits.pages", "from 1 to 10000"),
        Wrong("{limits: {url_bytes: 99999999}}", "limits.url_bytes", "to 1048576"),
        Wrong("{limits: {image_bytes: {}}}", "limits.image_bytes", "found an object"),
        Wrong("{limits: {image_pixels: 0x10000000000000000}}", "limits.image_pixels", "to 1000000000000"),
        Wrong("{cache: {max_bytes: 65535}}", "cache.max_bytes", "from 65536"),
        Wrong("{cache: {min_free_bytes: -1}}", "cache.min_free_bytes", "(0: no floor)"),
        Wrong("{cache: {story_max_age: 1e300}}", "cache.story_max_age", "to 3153600000 (0: no limit)"),
        Wrong("{cache: {max_stories: 0}}", "cache.max_stories", "from 1 to 100000000"),
        Wrong("{socket_writers: 1000}", "socket_writers", "a list of user ids"),
        Wrong("{socket_writers: [-1]}", "socket_writers", "whole numbers from 0 to 4294967294; found -1"),
        Wrong("{socket_writers: [4294967295]}", "socket_writers", "found 4294967295"),
        Wrong("{socket_writers: ['joe']}", "socket_writers", "found \"joe\""),
    ]

    private static let words = [
        Wrong("{log_level: 'verbose'}", "log_level", "\"error\", \"warning\", \"info\" or \"debug\""),
        Wrong("{log_level: 'warn'}", "log_level", "did you mean \"warning\"?"),
        Wrong("{log_level: 6}", "log_level", "found 6"),
        Wrong("{keep_processed: 1}", "keep_processed", "true or false; found 1"),
        Wrong("{network: {allow_http: 'no'}}", "network.allow_http", "true or false; found \"no\""),
        Wrong("{cache: {durability: 'fast'}}", "cache.durability", "\"strict\" or \"relaxed\""),
        Wrong("{limits: {image_types: []}}", "limits.image_types", "at least one of \"jpeg\""),
        Wrong("{limits: {image_types: ['jpg']}}", "limits.image_types", "did you mean \"jpeg\"?"),
        Wrong("{limits: {image_types: 'jpeg'}}", "limits.image_types", "a list of"),
        Wrong("{app_group: 'a/b'}", "app_group", "up to 127 of letters, digits and . _ -; found \"a/b\""),
        Wrong("{app_group: ''}", "app_group", "null or an app group's name"),
        Wrong("{cache: {ignore_query_parameters: ['a*b']}}", "cache.ignore_query_parameters", "a * at the end only"),
        Wrong("{cache: {ignore_query_parameters: ['']}}", "cache.ignore_query_parameters", "a list of names"),
        Wrong("{cache: {ignore_query_parameters: ['a=b']}}", "cache.ignore_query_parameters", "none of & = #"),
    ]

    private static let network = [
        Wrong("{network: {allowed_addresses: ['10.0.0/8']}}", "network.allowed_addresses", "such as \"10.0.0.0/8\""),
        Wrong("{network: {allowed_addresses: ['10.0.0.0/33']}}", "network.allowed_addresses", "CIDR"),
        Wrong("{network: {allowed_addresses: '10.0.0.0/8'}}", "network.allowed_addresses", "a list of CIDR ranges"),
        Wrong("{network: {user_agent: ''}}", "network.user_agent", "not empty"),
        Wrong("{network: {user_agent: 'a\\r\\nX: b'}}", "network.user_agent", "no control characters"),
        Wrong("{network: {proxy: 'proxy:3128'}}", "network.proxy", "SCHEME://[USER:PASSWORD@]HOST[:PORT]"),
        Wrong("{network: {proxy: 'ftp://proxy'}}", "network.proxy", "http, https, socks5, socks5h"),
        Wrong("{network: {proxy: 'http://proxy:99999'}}", "network.proxy", "HOST[:PORT]"),
        Wrong("{network: {proxy: 'http://proxy/path'}}", "network.proxy", "HOST[:PORT]"),
        Wrong("{network: {proxy: 'http://'}}", "network.proxy", "HOST[:PORT]"),
        Wrong(
            "{network: {proxy: 'http://***@proxy:1'}}", "network.proxy", "are the mask \"***\", which --print-config"),
        Wrong("{network: {headers: {'example.com': {A: '***'}}}}", "network.headers", "the value of A is the mask"),
        Wrong("{network: {ca_file: 'ca.pem'}}", "network.ca_file", "an absolute path"),
        Wrong(
            "{network: {headers: []}}", "network.headers", "an object {\"host\": {\"Name\": \"value\"}}; found a list"),
        Wrong("{network: {headers: {Authorization: 'x'}}}", "network.headers", "\"authorization\""),
        Wrong("{network: {headers: {'example.com': 'x'}}}", "network.headers", "\"example.com\" has no object"),
        Wrong("{network: {headers: {'Example.com': {A: 'b'}}}}", "network.headers", "to be written \"example.com\""),
        Wrong("{network: {headers: {'example.com:443': {A: 'b'}}}}", "network.headers", "a name or an address alone"),
        Wrong("{network: {headers: {'https://example.com': {A: 'b'}}}}", "network.headers", "without scheme"),
        Wrong("{network: {headers: {'example.com': {'A b': 'c'}}}}", "network.headers", "no header's name"),
        Wrong("{network: {headers: {'example.com': {A: 'b\\r\\nC: d'}}}}", "network.headers", "control characters"),
        Wrong("{network: {headers: {'example.com': {A: 5}}}}", "network.headers", "the value of A is no text"),
        Wrong("{network: {headers: {'example.com': {Host: 'b'}}}}", "network.headers", "must be left out"),
    ]

    private static let places = [
        Wrong("{inbox: 'inbox'}", "inbox", "an absolute path without . or .. in it; found \"inbox\""),
        Wrong("{inbox: '/a/../b'}", "inbox", "an absolute path"),
        Wrong("{inbox: '/a\\0b'}", "inbox", "an absolute path"),
        Wrong("{inbox: null}", "inbox", "an absolute path"),
        Wrong("{inbox: '/\(String(repeating: "a/", count: 2100))'}", "inbox", "found one of 4200 bytes"),
        Wrong("{inbox: '/a/\(String(repeating: "b", count: 256))'}", "inbox", "a name of 256 bytes in it, where 255"),
        Wrong("{socket: 'storiesd.sock'}", "socket", "an absolute path"),
        Wrong("{socket: '/\(String(repeating: "s", count: 107))'}", "socket", "at most 107 bytes"),
        Wrong("{metrics_textfile: 'x.prom'}", "metrics_textfile", "null or an absolute path"),
        Wrong("{inbox: '/a', state_directory: '/a/'}", "state_directory", "another directory than inbox"),
        Wrong("{inbox: '/a', state_directory: '/a/state'}", "state_directory", "not lie in inbox"),
        Wrong("{app_groups_root: '/a', inbox: '/a/inbox'}", "inbox", "not lie in app_groups_root"),
        Wrong(
            "{app_groups_root: '/a', fallback_directory: '/a//tmp'}", "fallback_directory", "not lie in app_groups_root"
        ),
        Wrong("{fallback_directory: '/', app_groups_root: '/g'}", "app_groups_root", "not lie in fallback_directory"),
    ]

    private static let names = [
        Wrong("{netwrk: {}}", "netwrk", "did you mean network?"),
        Wrong("{network: {perhost: 4}}", "network.perhost", "did you mean network.per_host?"),
        Wrong("{network: {'per-host': 4}}", "network.per-host", "did you mean network.per_host?"),
        Wrong("{per_host: 4}", "per_host", "did you mean network.per_host?"),
        Wrong("{network: {max_stories: 4}}", "network.max_stories", "did you mean cache.max_stories?"),
        Wrong("{in_box: '/a'}", "in_box", "did you mean inbox?"),
        Wrong("{zzzzzzzz: 1}", "zzzzzzzz", "there are inbox, app_groups_root"),
        Wrong("{'network.per_host': 4}", "network.per_host", "in its section: network: { per_host: … }"),
        Wrong("{network: 5}", "network", "an object with keys of concurrency, per_host"),
        Wrong("{cache: null}", "cache", "an object with keys of max_bytes"),
    ]

    @Test(
        "Each error names the key and says what would be right", arguments: numbers + words + network + places + names)
    func wrong(_ wrong: Wrong) throws {
        let written = try WrittenConfiguration(wrong.text)
        let problem = try #require(written.problems().first { $0.key == wrong.key }, "\(written.problems())")
        #expect(problem.description.contains(wrong.key))
        #expect(problem.message.contains(wrong.remedy), "\(problem)")
    }

    @Test("All that is wrong in the file and on the command line is told at once, with its place")
    func several() throws {
        let written = try WrittenConfiguration(
            "{inbox: 5, network: {per_host: 0, bogus_key_of_mine: 1}, log_level: 'info'}")
        let problems = written.problems("cache.max_stories=none")
        #expect(problems.map(\.key) == ["inbox", "network.per_host", "network.bogus_key_of_mine", "cache.max_stories"])
        #expect(problems.map(\.source) == [written.path, written.path, written.path, "--set"])
        #expect(
            problems[1].description == "\(written.path): line 1, column 22: network.per_host: \(problems[1].message)")
        #expect(problems[3].description == "--set: cache.max_stories: \(problems[3].message)")
    }

    @Test(
        "No error holds a secret",
        arguments: [
            "{network: {proxy: 'gopher://joe:hunter2@proxy'}}", "{network: {proxy: 'http://joe:hunter2@proxy/x'}}",
            "{network: {headers: {'a.example': {Authorization: 'hunter2\\n'}}}}",
            "{network: {headers: {'a.example': {Range: 'hunter2'}}}}", "{network: {headers: 'hunter2'}}",
            "{network: {headers: {'a.example': 'hunter2'}}}",
        ])
    func secrets(text: String) throws {
        let problems = try WrittenConfiguration(text).problems()
        #expect(problems.count == 1)
        #expect(!problems.description.contains("hunter2"))
    }
}
