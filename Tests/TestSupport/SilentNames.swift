import Foundation

/// A resolver that never answers for names below `.silent`, and is the system's for all others: a getaddrinfo(3) that
/// goes before the C library's, ld.so(8), in the programs that are started with its environment. Needs a C compiler,
/// which is there wherever Swift links.
package final class SilentNames: Sendable {
    private let directory: TemporaryDirectory

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <netdb.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **list) {
            const char *end = node ? strrchr(node, '.') : NULL;
            if (end && !strcmp(end, ".silent")) {
                int asked = open(getenv("SILENT_NAMES_ASKED"), O_WRONLY | O_APPEND | O_CREAT, 0600);
                dprintf(asked, "%s\\n", node);
                close(asked);
                for (;;) pause();
            }
            int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
            next = dlsym(RTLD_NEXT, "getaddrinfo");
            return next(node, service, hints, list);
        }

        """

    package init() async throws {
        directory = try TemporaryDirectory()
        try FileBytes.put(Array(Self.source.utf8), at: directory.path("names.c"))
        try FileBytes.put([], at: directory.path("asked"))
        let words = "-shared -fPIC -o \(directory.path("names.so")) \(directory.path("names.c"))"
        try await Tool.run("/bin/sh", ["-c", "$(command -v cc || command -v clang) \(words)"])
    }

    /// What a program is to be started with.
    package var environment: [String: String] {
        ["LD_PRELOAD": directory.path("names.so"), "SILENT_NAMES_ASKED": directory.path("asked")]
    }

    /// The silent names that are being looked up, in the order in which they were asked for.
    package func asked() throws -> [String] {
        String(decoding: try FileBytes.read(directory.path("asked")), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }
}
