import Testing

/// A configuration that must be refused, and what must be said of it.
struct WrongConfiguration: CustomTestStringConvertible, Sendable {
    /// What the file holds; nil where there is none.
    let file: [UInt8]?
    /// The `--set`s.
    let settings: [String]
    /// Where in the file the error stands: `line 1, column 2`.
    let place: String?
    /// The key that is named; nil where the text as a whole is at fault.
    let key: String?
    /// What would be right, in words that the message must hold.
    let remedy: String
    let testDescription: String

    /// A key in a file.
    init(file: String, _ line: Int, _ column: Int, _ key: String, _ remedy: String) {
        self.init(Array(file.utf8), [], "line \(line), column \(column)", key, remedy, file)
    }

    /// A text that is no JSON5.
    init(text: [UInt8], _ line: Int, _ column: Int, _ remedy: String) {
        self.init(text, [], "line \(line), column \(column)", nil, remedy, String(decoding: text, as: UTF8.self))
    }

    /// A text that is no JSON5.
    init(text: String, _ line: Int, _ column: Int, _ remedy: String) {
        self.init(text: Array(text.utf8), line, column, remedy)
    }

    /// A `--set`, or several of which the last is at fault.
    init(set settings: String..., key: String, _ remedy: String) {
        self.init(nil, settings, nil, key, remedy, settings.joined(separator: " "))
    }

    private init(
        _ file: [UInt8]?, _ settings: [String], _ place: String?, _ key: String?, _ remedy: String,
        _ description: String
    ) {
        (self.file, self.settings, self.place, self.key, self.remedy) = (file, settings, place, key, remedy)
        testDescription = String(description.prefix(100))
    }

    static let all = syntax + names + numbers + words + places + network + commandLine

    private static let syntax = [
        WrongConfiguration(text: "", 1, 1, "expected a value, found the end of the text"),
        WrongConfiguration(text: "{\n  inbox: '/a'\n  socket: '/b'\n}", 3, 3, "expected ',' or '}' after a member"),
        WrongConfiguration(text: "{ inbox '/a' }", 1, 9, "expected ':' after a key"),
        WrongConfiguration(text: "{\r\n  log_level: info\r\n}", 2, 14, "expected"),
        WrongConfiguration(text: "\u{FEFF}{\n network: ]\n}", 2, 11, "expected"),
        WrongConfiguration(text: "{} {}", 1, 4, "unexpected text after the value"),
        WrongConfiguration(text: "{\n /* open", 2, 2, "a comment has no end"),
        WrongConfiguration(text: "{\n inbox: \"/a\n\"}", 2, 12, "a control character stands in a string"),
        WrongConfiguration(text: [0xFF, 0xFE, 0x7B, 0, 0x7D, 0], 1, 1, "not valid UTF-8"),
        WrongConfiguration(text: Array("{\n".utf8) + [0x80, 0x01, 0x00], 2, 1, "not valid UTF-8"),
        WrongConfiguration(text: "\u{7F}ELF\u{2}\u{1}\u{0}", 1, 1, "expected"),
        WrongConfiguration(text: String(repeating: "[", count: 100_000), 1, 513, "nested deeper than 512"),
    ]

    private static let names = [
        WrongConfiguration(file: "{\n in_box: '/a'\n}", 2, 2, "in_box", "did you mean inbox?"),
        WrongConfiguration(
            file: "{ network: {\n  per_hots: 4 } }", 2, 3, "network.per_hots", "did you mean network.per_host?"),
        WrongConfiguration(file: "{cache: {maxbytes: 1}}", 1, 10, "cache.maxbytes", "did you mean cache.max_bytes?"),
        WrongConfiguration(file: "{limits: {page: 1}}", 1, 11, "limits.page", "did you mean limits.pages?"),
        WrongConfiguration(file: "{'limits.pages': 4}", 1, 2, "limits.pages", "in its section: limits: { pages: … }"),
        WrongConfiguration(file: "{cache: []}", 1, 2, "cache", "an object with keys of max_bytes"),
    ]

    private static let numbers = [
        WrongConfiguration(
            file: "{limits: {image_bytes: NaN}}", 1, 11, "limits.image_bytes", "a whole number of bytes from 1"),
        WrongConfiguration(
            file: "{cache: {max_bytes: Infinity}}", 1, 10, "cache.max_bytes", "found Infinity"),
        WrongConfiguration(
            file: "{cache: {max_bytes: 1000, max_bytes: 1001}}", 1, 27, "cache.max_bytes", "bytes from 65536"),
        WrongConfiguration(
            file: "{story_deadline: '25s'}", 1, 2, "story_deadline", "a number of seconds from 0.1 to 86400"),
        WrongConfiguration(
            file: "{network: {connect_timeout: NaN}}", 1, 12, "network.connect_timeout",
            "a number of seconds from 0.01 to 3600; found NaN"),
    ]

    private static let words = [
        WrongConfiguration(file: "{keep_processed: 'yes'}", 1, 2, "keep_processed", "true or false; found \"yes\""),
        WrongConfiguration(file: "{network: {allow_http: 0}}", 1, 12, "network.allow_http", "true or false; found 0"),
    ]

    private static let places = [
        WrongConfiguration(file: "{inbox: '~/inbox'}", 1, 2, "inbox", "an absolute path"),
        WrongConfiguration(
            file: "{state_directory: '/\(String(repeating: "a/", count: 3000))'}", 1, 2, "state_directory",
            "4095 are the most"),
        WrongConfiguration(
            file: "{app_groups_root: '/\(String(repeating: "a", count: 256))'}", 1, 2, "app_groups_root",
            "255 are the most"),
        WrongConfiguration(
            file: "{fallback_directory: '/a',\n inbox: '/a/inbox'}", 2, 2, "inbox", "not lie in fallback_directory"),
        WrongConfiguration(
            file: "{app_groups_root: '/var/cache/storiesd/tmp/groups'}", 1, 2, "app_groups_root",
            "not lie in fallback_directory"),
    ]

    private static let network = [
        WrongConfiguration(
            file: "{network: {proxy: 'ftp://me:secret@proxy'}}", 1, 12, "network.proxy", "http, https, socks5, socks5h"),
        WrongConfiguration(
            file: "{network: {headers: {'a.example': {A: 'secret\\r\\nC: d'}}}}", 1, 12, "network.headers",
            "control characters"),
        WrongConfiguration(
            file: "{network: {headers: {'a.example': {Host: 'secret'}}}}", 1, 12, "network.headers", "must be left out"),
        WrongConfiguration(
            file: "{network: {\n ca_file: '/nowhere/ca.pem'}}", 2, 2, "network.ca_file",
            "/nowhere/ca.pem cannot be read: No such file or directory; it must be a file of certificates in PEM"),
    ]

    private static let commandLine = [
        WrongConfiguration(set: "network.per_hots=4", key: "network.per_hots", "did you mean network.per_host?"),
        WrongConfiguration(set: "network={}", key: "network", "network.KEY=VALUE with a KEY of concurrency"),
        WrongConfiguration(set: "network.concurrency=", key: "network.concurrency", "a whole number of transfers"),
        WrongConfiguration(set: "inbox=", key: "inbox", "an absolute path"),
        WrongConfiguration(set: "inbox=relative", key: "inbox", "an absolute path without . or .. in it"),
        WrongConfiguration(set: "network.max_attempts=NaN", key: "network.max_attempts", "from 1 to 100; found NaN"),
        WrongConfiguration(set: "story_deadline=25s", key: "story_deadline", "a number of seconds from 0.1 to 86400"),
        WrongConfiguration(set: "inbox=/a", "state_directory=/a/b", key: "state_directory", "not lie in inbox"),
        WrongConfiguration(set: "network.ca_file=/", key: "network.ca_file", "/ is a directory; it must be a file"),
        WrongConfiguration(set: "network.ca_file=/dev/null", key: "network.ca_file", "is no regular file"),
        WrongConfiguration(set: "network.ca_file=/etc/passwd", key: "network.ca_file", "holds no certificate"),
    ]
}
