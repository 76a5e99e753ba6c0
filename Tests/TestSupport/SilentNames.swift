import Foundation

/// A resolver that never answers for names below `.silent`, and is the system's for all others: a getaddrinfo(3) that
/// goes before the C library's in the programs that are started with its environment.
package final class SilentNames: Sendable {
    private let directory: TemporaryDirectory
    private let library: PreloadedLibrary

    private static let source = """
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
        try FileBytes.put([], at: directory.path("asked"))
        library = try await PreloadedLibrary(Self.source)
    }

    /// What a program is to be started with.
    package var environment: [String: String] {
        library.environment.merging(["SILENT_NAMES_ASKED": directory.path("asked")]) { $1 }
    }

    /// The silent names that are being looked up, in the order in which they were asked for.
    package func asked() throws -> [String] {
        String(decoding: try FileBytes.read(directory.path("asked")), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }
}
