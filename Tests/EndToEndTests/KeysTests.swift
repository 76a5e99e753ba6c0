import Foundation
import JSON
import Platform
import Stories
import TestSupport
import Testing

/// Every key of the configuration is honoured: for each there is a test that changes it and sees from outside a
/// difference that is not there with its default.
struct KeysTests {
    /// Each key with the test that shows it, as `Suite.test`.
    private static let tests = [
        "inbox": "KeysTestsBehaviour.each place is where the configuration says",
        "app_groups_root": "KeysTestsBehaviour.each place is where the configuration says",
        "app_group": "GroupTests.the inbox itself belongs to the group that the configuration names",
        "fallback_directory": "KeysTestsBehaviour.each place is where the configuration says",
        "state_directory": "KeysTestsBehaviour.each place is where the configuration says",
        "socket": "KeysTestsBehaviour.each place is where the configuration says",
        "inbox_rescan": "KeysTestsBehaviour.where no events come a payload is found by the next rescan",
        "keep_processed": "KeysTestsBehaviour.accepted payloads are kept where that is wanted",
        "story_deadline": "KeysTestsBehaviour.a story settles at its deadline",
        "socket_writers": "PeerTests.another user may read and not change, unless it is one of the writers",
        "metrics_textfile": "MetricsTests.the file is there at once, follows the configuration, and says the end",
        "log_level": "KeysTestsBehaviour.what is less urgent than the level is not logged",
        "network.concurrency": "KeysTestsTransfers.so many transfers run at once",
        "network.per_host": "KeysTestsTransfers.so many transfers run at once",
        "network.connect_timeout": "KeysTestsTransfers.a connection that does not come about is given up in time",
        "network.stall_timeout":
            "FaultTests.each fault has its code, leaves nothing behind, and the other pages are cached",
        "network.page_timeout":
            "FaultTests.each fault has its code, leaves nothing behind, and the other pages are cached",
        "network.max_attempts":
            "FaultTests.each fault has its code, leaves nothing behind, and the other pages are cached",
        "network.retry_base": "KeysTestsTransfers.attempts follow each other as fast as the base of their pauses says",
        "network.retry_cap": "KeysTestsTransfers.an origin that asks for a long pause is asked again after the cap",
        "network.retry_horizon": "KeysTestsTransfers.beyond its horizon a page is not tried again",
        "network.max_redirects": "KeysTestsTransfers.so many redirects are followed",
        "network.max_bytes_per_second": "KeysTestsTransfers.bytes come no faster than allowed",
        "network.allow_http": "KeysTestsOrigins.plain http is spoken where it is allowed alone",
        "network.allowed_addresses":
            "ReloadTests.a good change takes effect, and keys that need a restart keep their values and are named",
        "network.headers":
            "KeysTestsOrigins.headers go to their host alone, over https alone, and not on to where it redirects",
        "network.proxy":
            "KeysTestsOrigins.a proxy is asked for names, and literal private addresses are refused before it",
        "network.user_agent": "KeysTestsOrigins.the origin is told who asks, and for which types",
        "network.ca_file": "KeysTestsOrigins.the file's authorities are trusted in place of the system's",
        "limits.payload_bytes": "KeysTestsLimits.a payload may be so large",
        "limits.pages": "KeysTestsLimits.a story may have so many pages",
        "limits.url_bytes": "KeysTestsLimits.a URL may be so long",
        "limits.image_bytes":
            "FaultTests.each fault has its code, leaves nothing behind, and the other pages are cached",
        "limits.image_pixels":
            "FaultTests.each fault has its code, leaves nothing behind, and the other pages are cached",
        "limits.image_types": "KeysTestsOrigins.the origin is told who asks, and for which types",
        "cache.max_bytes":
            "LimitTests.of three times what the cache may hold the newest stories stay, and the oldest go, manifest first",
        "cache.story_max_age": "LimitTests.stories that are too old go, with all that they held",
        "cache.max_stories": "LimitTests.of more stories than a group may have the newest stay, in each group",
        "cache.min_free_bytes": "KeysTestsLimits.what is to be left free is not filled with pictures",
        "cache.min_free_inodes": "KeysTestsLimits.what is to be left free is not filled with pictures",
        "cache.ignore_query_parameters":
            "KeysTestsLimits.query parameters that are to be ignored make no other picture",
        "cache.durability": "KeysTestsLimits.objects are waited for where they are to be durable",
    ]

    @Test func `each key of the program has a test here, and each of these tests is there`() async throws {
        let printed = try await RunningProgram.run(RunningProgram.built("storiesd"), ["--print-config"])
        let root = try #require(try JSONParser.parse(printed.output).objectValue)
        let keys = root.members.flatMap { name, value in
            ["network", "limits", "cache"].contains(name)
                ? (value.objectValue?.keys ?? []).map { "\(name).\($0)" } : [name]
        }
        #expect(keys.sorted() == Self.tests.keys.sorted())

        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        for (key, test) in Self.tests {
            let parts = test.split(separator: ".", maxSplits: 1).map(String.init)
            let text = try String(contentsOf: folder.appending(path: "\(parts[0]).swift"), encoding: .utf8)
            #expect(text.contains("func `\(parts[1])`("), "\(key): \(test)")
        }
    }
}

/// The manifest of a story of these pictures under these settings, once it is settled; its daemon is gone by then.
func settledStory(
    _ images: [String], _ settings: [String] = [], environment: [String: String] = [:]
) async throws -> Manifest {
    let place = try DaemonPlace()
    let daemon = try await DaemonProcess.ready(place, settings, environment: environment)
    try place.drop("a.json", Payloads.story("a", images: images))
    return try await daemon.settled("a")
}

extension Manifest {
    /// From its acceptance to its latest revision.
    var age: Duration { .milliseconds(updatedAt.milliseconds - receivedAt.milliseconds) }
}
