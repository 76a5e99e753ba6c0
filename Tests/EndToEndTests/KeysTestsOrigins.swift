import Foundation
import Stories
import TestOrigins
import TestSupport
import Testing

/// The keys that tell whom is spoken to, in which words, and what is believed.
struct KeysTestsOrigins {
    @Test(arguments: [false, true])
    func `plain http is spoken where it is allowed alone`(isAllowed: Bool) async throws {
        let origin = try await NginxOrigin()
        try origin.serve(SampleImages.png(), at: "/a")
        let manifest = try await settledStory(
            [origin.url("/a"), origin.secureURL("/a")],
            ["network.allow_http=\(isAllowed)", "network.ca_file=\(try await TestAuthority.shared().certificateFile)"])
        #expect(manifest.skipped.map(\.code) == (isAllowed ? [] : [.schemeDenied]))
        #expect(manifest.pages.map(\.state.error?.code) == (isAllowed ? [nil, nil] : [nil]))
    }

    @Test func `headers go to their host alone, over https alone, and not on to where it redirects`() async throws {
        let origin = try await NginxOrigin()
        for path in ["/a", "/b", "/c"] { try origin.serve(SampleImages.png(), at: path) }
        let place = try DaemonPlace()
        let daemon = try await DaemonProcess.ready(
            place,
            [
                "network.headers={localhost: {'X-Token': 'hunter2'}}", "network.allowed_addresses=['127.0.0.1', '::1']",
                "network.ca_file=\(try await TestAuthority.shared().certificateFile)",
            ])
        let images = [
            origin.secureURL("/a"), origin.secureURL("/b", host: "127.0.0.1"), "http://localhost:\(origin.port)/a",
            origin.secureURL("/redirect?to=\(origin.secureURL("/c", host: "127.0.0.1"))"),
        ]
        try place.drop("a.json", Payloads.story("a", images: images))
        #expect(try await daemon.settled("a").state == .ready)
        try await daemon.wait("the origin has written its log") { try origin.requests().count == 5 }
        let tokens = try origin.requests().map { "\($0.path) \($0.version) \($0.token)" }.sorted()
        #expect(
            tokens == [
                "/a HTTP/1.1 -", "/a HTTP/2.0 hunter2", "/b HTTP/2.0 -", "/c HTTP/2.0 -", "/redirect HTTP/2.0 hunter2",
            ])
        #expect(!daemon.log.contains("hunter2"))
    }

    @Test func `a proxy is asked for names, and literal private addresses are refused before it`() async throws {
        let proxy = try ScriptedOrigin()
        let target = "http://pictures.invalid/a"
        proxy.script(target, .ok(SampleImages.png()))
        let settings = ["network.proxy=http://me:hunter2@127.0.0.1:\(proxy.port)", "network.max_attempts=1"]
        let manifest = try await settledStory([target, "http://10.0.0.1/a"], settings)
        #expect(manifest.pages.map(\.state.error?.code) == [nil, .addressDenied])
        #expect(proxy.requests.map(\.target) == [target])
        #expect(proxy.requests.first?.header("Proxy-Authorization")?.hasPrefix("Basic ") == true)
    }

    @Test func `the environment's proxies are not asked`() async throws {
        let (proxy, origin) = (try ScriptedOrigin(), try ScriptedOrigin())
        origin.script("/a", .ok(SampleImages.png()))
        let names = ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"]
        let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, "http://127.0.0.1:\(proxy.port)") })
        let manifest = try await settledStory(
            [origin.url("/a"), "https://127.0.0.1:\(origin.port)/"],
            ["network.max_attempts=1", "network.connect_timeout=0.2"], environment: environment)
        #expect(manifest.pages[0].state.isCached)
        #expect(origin.requests.map(\.target) == ["/a"] && origin.connections == 2)
        #expect(proxy.connections == 0)
    }

    @Test(arguments: [
        ([], "storiesd/", "image/jpeg", true),
        (["network.user_agent=kiosk 7", "limits.image_types=['gif', 'png']"], "kiosk 7", "image/gif", false),
    ])
    func `the origin is told who asks, and for which types`(
        settings: [String], agent: String, type: String, isJPEGTaken: Bool
    ) async throws {
        let origin = try ScriptedOrigin()
        origin.script("/png", .ok(SampleImages.png()))
        origin.script("/jpeg", .ok(SampleImages.jpeg()))
        let manifest = try await settledStory([origin.url("/png"), origin.url("/jpeg")], settings)
        #expect(manifest.pages.map(\.state.error?.code) == [nil, isJPEGTaken ? nil : .unsupportedType])
        for request in origin.requests {
            #expect(request.header("User-Agent")?.hasPrefix(agent) == true)
            let accepted = request.header("Accept") ?? ""
            #expect(accepted.contains(type) && accepted.contains("image/png"))
            #expect(accepted.contains("image/jpeg") == isJPEGTaken, "\(accepted)")
        }
    }

    @Test func `the file's authorities are trusted in place of the system's`() async throws {
        let origin = try await NginxOrigin()
        try origin.serve(SampleImages.png(), at: "/a")
        let system = try await SystemAuthorities()
        let directory = try TemporaryDirectory()
        let other = directory.path("other.pem")
        try await TestAuthority.make("Another authority", at: other, key: directory.path("key.pem"))
        let images = [origin.secureURL("/a")]
        let without = try await settledStory(images, environment: system.environment)
        #expect(without.state == .ready, "the system trusts it: \(String(describing: without.pages[0].state.error))")
        let with = try await settledStory(
            images, ["network.ca_file=\(other)", "network.max_attempts=1"], environment: system.environment)
        #expect(with.pages[0].state.error?.code == .tls)
        let both = try await settledStory(
            images, ["network.ca_file=\(try await TestAuthority.shared().certificateFile)"])
        #expect(both.state == .ready)
    }
}

/// A system that trusts the authority of the tests, for the programs that are started with its environment: they find
/// a directory of the test's own where /etc/ssl/certs is.
private final class SystemAuthorities: Sendable {
    private let directory: TemporaryDirectory
    private let library: PreloadedLibrary

    init() async throws {
        directory = try TemporaryDirectory()
        let authority = try await TestAuthority.shared().certificateFile
        let hash = try await RunningProgram.run(
            "/usr/bin/openssl", ["x509", "-noout", "-subject_hash", "-in", authority])
        let name = String(decoding: hash.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        for file in ["\(name).0", "ca-certificates.crt"] {
            try FileBytes.put(try FileBytes.read(authority), at: directory.path(file))
        }
        library = try await PreloadedLibrary(
            """
            #include <dlfcn.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/stat.h>

            static const char *found(const char *path, char *other) {
                const char *root = "/etc/ssl/certs/";
                if (strncmp(path, root, strlen(root))) return path;
                snprintf(other, 4096, "%s/%s", getenv("SYSTEM_AUTHORITIES"), path + strlen(root));
                return other;
            }

            int stat(const char *path, struct stat *status) {
                char other[4096];
                int (*next)(const char *, struct stat *) = dlsym(RTLD_NEXT, "stat");
                return next(found(path, other), status);
            }

            int lstat(const char *path, struct stat *status) {
                char other[4096];
                int (*next)(const char *, struct stat *) = dlsym(RTLD_NEXT, "lstat");
                return next(found(path, other), status);
            }

            FILE *fopen(const char *path, const char *mode) {
                char other[4096];
                FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
                return next(found(path, other), mode);
            }

            FILE *fopen64(const char *path, const char *mode) {
                char other[4096];
                FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen64");
                return next(found(path, other), mode);
            }
            """)
    }

    var environment: [String: String] {
        library.environment.merging(["SYSTEM_AUTHORITIES": directory.path]) { $1 }
    }
}
