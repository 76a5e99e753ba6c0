import Foundation

/// C functions that go before those of the system's libraries, ld.so(8), in the programs that are started with its
/// environment. Needs a C compiler, which is there wherever Swift links.
package final class PreloadedLibrary: Sendable {
    private let directory: TemporaryDirectory

    /// What a program is to be started with.
    package var environment: [String: String] { ["LD_PRELOAD": directory.path("library.so")] }

    /// Compiles `source`.
    package init(_ source: String) async throws {
        directory = try TemporaryDirectory()
        try FileBytes.put(Array("#define _GNU_SOURCE\n\(source)\n".utf8), at: directory.path("library.c"))
        let words = "-shared -fPIC -o \(directory.path("library.so")) \(directory.path("library.c"))"
        try await Tool.run("/bin/sh", ["-c", "$(command -v cc || command -v clang) \(words)"])
    }
}
