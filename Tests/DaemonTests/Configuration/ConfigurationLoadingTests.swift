import Foundation
import JSON
import Platform
import TestSupport
import Testing

@testable import Daemon

struct ConfigurationLoadingTests {
    /// The one secret of what follows, and what is printed for it.
    private let secret = "hunter2"
    private let mask = "***"

    /// Each key with a value that is not its default.
    private func everything() async throws -> String {
        let authority = try await TestAuthority.shared().certificateFile
        return """
            {
              inbox: "/srv/inbox", app_groups_root: "/srv/groups", app_group: "group.example", fallback_directory: "/srv/tmp",
              state_directory: "/srv/state", socket: "/srv/s.sock", socket_writers: [0, 4294967294], inbox_rescan: 0.1,
              keep_processed: true, story_deadline: 1.5, log_level: "debug", metrics_textfile: "/srv/m.prom",
              network: {
                concurrency: 2, per_host: 3, connect_timeout: 1, stall_timeout: 2.25, page_timeout: 3.125, max_attempts: 5,
                retry_base: 0.01, retry_cap: 7, retry_horizon: 0, max_redirects: 0, max_bytes_per_second: 9, allow_http: false,
                allowed_addresses: ["10.0.0.0/8", "::1/128"], headers: {"a.example": {Authorization: "\(secret)"}, "::1": {X: "\(secret)"}},
                proxy: "http://\(secret)@proxy:3128", user_agent: "me/1", ca_file: "\(authority)",
              },
              limits: {
                payload_bytes: 1000, pages: 1, url_bytes: 100, image_bytes: 1, image_pixels: 2, image_types: ["svg", "jxl"],
              },
              cache: {
                max_bytes: 65536, min_free_bytes: 0, min_free_inodes: 0, story_max_age: 0.123456789, max_stories: 10000000,
                ignore_query_parameters: ["token", "X-Amz-*", "*"], durability: "relaxed",
              },
            }
            """
    }

    @Test("Every key is taken, and what is printed loads as the same configuration")
    func roundTrip() async throws {
        let everything = try await everything()
        let written = try WrittenConfiguration(everything)
        let configuration = try written.load()
        let defaults = try WrittenConfiguration("{}").load()
        #expect(ConfigurationKey.all.filter { !$0.differs(configuration, defaults) }.map(\.name) == [])

        let printed = configuration.json.serialized(.pretty)
        #expect(try WrittenConfiguration(printed.replacing(mask, with: secret)).load() == configuration)
        #expect(
            try JSONParser.parse(everything.replacing(secret, with: mask), dialect: .json5) == configuration.json)
    }

    @Test("The command line takes every key as well")
    func everyKeyBySet() async throws {
        let configuration = try WrittenConfiguration(await everything()).load()
        let overrides = ConfigurationKey.all.map { key in
            ConfigurationOverride(
                key: key.name, text: key.json(configuration).serialized().replacing(mask, with: secret))
        }
        #expect(
            try Configuration.load(file: nil, overrides: overrides, environment: ["HOME": "/nowhere"], userID: 1000)
                == configuration)
    }

    @Test(
        "The extremes that the ranges promise are legal",
        arguments: [
            "network.retry_base=0.01", "network.connect_timeout=1", "network.stall_timeout=1", "network.page_timeout=1",
            "story_deadline=1", "cache.max_bytes=65536", "cache.max_stories=10000000", "cache.min_free_bytes=0",
            "cache.min_free_inodes=0", "network.max_bytes_per_second=0", "cache.story_max_age=0",
            "network.retry_horizon=0", "network.max_redirects=0", "network.per_host=1024", "network.concurrency=1",
            "network.max_attempts=1", "network.per_host=4.0", "network.per_host=0x10", "cache.max_bytes=+1e15",
        ])
    func extremes(setting: String) throws {
        #expect(throws: Never.self) { try WrittenConfiguration.load(setting) }
    }

    @Test("The file is over the defaults, --set over the file, the last --set over those before")
    func precedence() throws {
        let written = try WrittenConfiguration("{network: {per_host: 2, concurrency: 8}, log_level: 'error'}")
        let configuration = try written.load("network.per_host=3", "log_level=debug", "network.per_host=4")
        #expect(configuration.network.perHost == 4)
        #expect(configuration.network.concurrency == 8)
        #expect(configuration.logLevel == .debug)
        #expect(configuration.network.maxAttempts == 4)
    }

    @Test("A bare word, a path, an empty value and JSON5 are what they look like")
    func settings() throws {
        let configuration = try WrittenConfiguration.load(
            "inbox=/x/y//", "cache.durability=relaxed", "app_group=null", "network.headers={'h': {A: 'b=c'}}",
            "cache.ignore_query_parameters=['a',]", "network.user_agent='5'", "keep_processed=true")
        #expect(configuration.inbox == "/x/y")
        #expect(configuration.cache.durability == .relaxed)
        #expect(configuration.appGroup == nil)
        #expect(configuration.network.headers == ["h": ["A": "b=c"]])
        #expect(configuration.cache.ignoreQueryParameters == ["a"])
        #expect(configuration.network.userAgent == "5")
        #expect(configuration.keepProcessed)
    }

    @Test(
        "What --set cannot set is refused by name",
        arguments: [
            ("network={}", "network", "network.KEY=VALUE"), ("log_level=", "log_level", "found \"\""),
            ("network.perhost=1", "network.perhost", "did you mean network.per_host?"),
            ("network.per_host=", "network.per_host", "a whole number"),
            ("cache.max_stories=NaN", "cache.max_stories", "found NaN"),
        ])
    func wrongSettings(setting: String, key: String, remedy: String) throws {
        let problem = try #require(try WrittenConfiguration("{}").problems(setting).first)
        #expect(problem.source == "--set")
        #expect(problem.key == key)
        #expect(problem.message.contains(remedy), "\(problem)")
    }

    @Test("Printed, a proxy's user and the values of headers are masked; the names are not")
    func masks() throws {
        let configuration = try WrittenConfiguration.load(
            "network.proxy=http://joe:hunter2@proxy:3128",
            "network.headers={'a.example': {Authorization: 'Bearer hunter2'}}")
        let printed = configuration.json.serialized(.pretty)
        #expect(!printed.contains("hunter2"))
        #expect(!printed.contains("joe"))
        #expect(printed.contains(#""proxy": "http://***@proxy:3128""#))
        #expect(printed.contains(#""Authorization": "***""#))
        #expect(configuration.network.proxy?.text == "http://joe:hunter2@proxy:3128")
    }

    @Test("A reload names the changed keys that need a restart, and no others")
    func reload() throws {
        let old = try WrittenConfiguration.load("network.headers={h: {A: 'b'}}")
        let new = try WrittenConfiguration.load(
            "network.headers={h: {A: 'c'}}", "inbox=/a", "socket=/b", "log_level=debug")
        #expect(new.changesNeedingRestart(from: old) == ["inbox", "socket"])
        #expect(old.changesNeedingRestart(from: old) == [])
        let effective = old.taking(reloadableFrom: new)
        #expect(effective.inbox == old.inbox && effective.socket == old.socket)
        #expect(effective.logLevel == .debug && effective.network.headers == new.network.headers)
        #expect(new.changesNeedingRestart(from: effective) == ["inbox", "socket"], "named again by the next reload")
    }

    @Test("Of every key a reload takes the new value, or names it as one that needs a restart and keeps the old")
    func reloadOfEveryKey() async throws {
        let old = try WrittenConfiguration("{}").load()
        let new = try WrittenConfiguration(await everything()).load()
        #expect(ConfigurationKey.all.filter { !$0.differs(old, new) }.map(\.name) == [])
        let restarting = ConfigurationKey.all.filter { !$0.isReloadable }
        #expect(new.changesNeedingRestart(from: old) == restarting.map(\.name))
        let effective = old.taking(reloadableFrom: new)
        for key in ConfigurationKey.all {
            #expect(key.differs(effective, key.isReloadable ? new : old) == false, "\(key.name)")
        }
    }

    @Test("Without HOME each place that has no default is named")
    func homeless() throws {
        var written = try WrittenConfiguration("{}")
        written.environment = [:]
        let problems = written.problems("app_groups_root=/groups")
        #expect(problems.map(\.key) == ["inbox", "fallback_directory", "state_directory"])
        #expect(problems.allSatisfy { $0.message.contains("set HOME or this key") })
    }

    @Test("Directories may lie side by side, in the state directory, or have a common beginning of their names")
    func legalPlaces() throws {
        #expect(throws: Never.self) { try WrittenConfiguration.load("state_directory=/a", "inbox=/a/inbox") }
        #expect(throws: Never.self) { try WrittenConfiguration.load("inbox=/a/b", "state_directory=/a/bc") }
        let socket = "/" + String(repeating: "s", count: 106)
        #expect(try WrittenConfiguration.load("socket=\(socket)").socket == socket)
    }
}
