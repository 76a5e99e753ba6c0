import Foundation
import Glibc
import Stories
import TestOrigins
import TestSupport
import Testing

/// The keys of `limits` and `cache`.
struct KeysTestsLimits {
    private let origin: ScriptedOrigin

    init() throws {
        origin = try ScriptedOrigin()
        origin.script("/a", .ok(SampleImages.png()))
    }

    @Test(arguments: [(["limits.payload_bytes=150"], false), ([], true)])
    func `a payload may be so large`(settings: [String], isTaken: Bool) async throws {
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(place, settings)
        let payload = Payloads.story("a", images: [origin.url("/\(String(repeating: "a", count: 150))")])
        try place.drop("a.json", payload)
        try await daemon.finished(payloads: 1)
        #expect(try place.stories() == (isTaken ? ["a"] : []))
        if !isTaken { #expect(try reason(place, "a.json").code == "too_large") }
    }

    @Test(arguments: [(["limits.pages=2"], 2), ([], 4)])
    func `a story may have so many pages`(settings: [String], count: Int) async throws {
        let manifest = try await settledStory((0..<4).map { origin.url("/a?\($0)") }, settings)
        #expect(manifest.pages.count == count)
        #expect(manifest.skipped.map(\.code) == (count == 4 ? [] : [.tooManyPages]))
    }

    @Test(arguments: [(["limits.url_bytes=60"], false), ([], true)])
    func `a URL may be so long`(settings: [String], isTaken: Bool) async throws {
        let long = "/a?\(String(repeating: "q", count: 60))"
        origin.script("/redirect", .redirect(to: long))
        let manifest = try await settledStory([origin.url("/a"), origin.url("/redirect"), origin.url(long)], settings)
        #expect(manifest.skipped.map(\.code) == (isTaken ? [] : [.urlTooLong]))
        #expect(manifest.pages.map(\.state.error?.code) == (isTaken ? [nil, nil, nil] : [nil, .urlTooLong]))
    }

    /// Floors that no filesystem is above, and none; of inodes where the filesystem counts them.
    private static let floors = [
        ("cache.min_free_bytes", 1_125_899_906_842_624), ("cache.min_free_inodes", 1_000_000_000_000),
        ("cache.min_free_bytes", 0), ("cache.min_free_inodes", 0),
    ].filter { key, floor in
        var space = statvfs()
        return key == "cache.min_free_bytes" || floor == 0
            || statvfs(NSTemporaryDirectory(), &space) == 0 && space.f_files > 0
    }

    @Test(arguments: floors)
    func `what is to be left free is not filled with pictures`(key: String, floor: Int) async throws {
        let manifest = try await settledStory([origin.url("/a")], ["\(key)=\(floor)", "network.max_attempts=1"])
        #expect(manifest.pages[0].state.error?.code == (floor == 0 ? nil : .noSpace))
        #expect(manifest.pages[0].state.error?.message.hasSuffix(".") != false)
    }

    @Test(arguments: [
        (["cache.ignore_query_parameters=['token', 'X-Amz-*']"], 2), (["cache.ignore_query_parameters=['*']"], 1),
        ([], 5),
    ])
    func `query parameters that are to be ignored make no other picture`(
        settings: [String], requests: Int
    ) async throws {
        let queries = ["token=1", "token=2", "X-Amz-Date=3", "token=4&X-Amz-Signature=5", "size=6&token=7"]
        let manifest = try await settledStory(queries.map { origin.url("/a?\($0)") }, settings)
        #expect(manifest.state == .ready)
        #expect(origin.requests.count == requests)
    }

    @Test(arguments: [([], true), (["cache.durability=strict"], true), (["cache.durability=relaxed"], false)])
    func `objects are waited for where they are to be durable`(settings: [String], isStrict: Bool) async throws {
        let synchronized = try await SynchronizedFiles()
        origin.script("/large", .ok(SampleImages.png(bytes: 34_567)))
        let manifest = try await settledStory(
            [origin.url("/large")], settings, environment: synchronized.environment)
        #expect(manifest.state == .ready)
        let paths = try synchronized.paths()
        #expect(paths.contains { $0.hasPrefix("34567 ") } == isStrict, "\(paths)")
        #expect(paths.contains { $0.contains("/pw_stories_cache/objects/") } == isStrict, "\(paths)")
        // The manifest is durable in either case.
        #expect(paths.contains { $0.contains("/pw_stories_cache/stories/a") }, "\(paths)")
    }
}

/// The files and directories that programs which are started with its environment wait for, fsync(2).
private final class SynchronizedFiles: Sendable {
    private let directory: TemporaryDirectory
    private let library: PreloadedLibrary

    init() async throws {
        directory = try TemporaryDirectory()
        library = try await PreloadedLibrary(
            """
            #include <dlfcn.h>
            #include <fcntl.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <sys/stat.h>
            #include <unistd.h>

            int fsync(int file) {
                int (*next)(int) = dlsym(RTLD_NEXT, "fsync");
                char link[64], path[4096];
                snprintf(link, sizeof link, "/proc/self/fd/%d", file);
                ssize_t size = readlink(link, path, sizeof path);
                int list = open(getenv("SYNCHRONIZED_FILES"), O_WRONLY | O_APPEND | O_CREAT, 0600);
                struct stat status;
                fstat(file, &status);
                dprintf(list, "%lld %.*s\\n", (long long)status.st_size, (int)size, path);
                close(list);
                return next(file);
            }
            """)
    }

    var environment: [String: String] {
        library.environment.merging(["SYNCHRONIZED_FILES": directory.path("list")]) { $1 }
    }

    /// The paths so far, each with the size of the file before it.
    func paths() throws -> [String] {
        String(decoding: try FileBytes.read(directory.path("list")), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }
}
