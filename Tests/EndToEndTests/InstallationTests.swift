import Foundation
import TestSupport
import Testing

/// What `make install` puts in place, and `make uninstall` takes away.
@Suite(.timeLimit(.minutes(1))) struct InstallationTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `all that is installed goes again but the configuration, and what describes the interfaces is there`()
        async throws
    {
        let root = try TemporaryDirectory()
        func make(_ target: String) async throws {
            let programs = try URL(filePath: RunningProgram.built("storiesd")).deletingLastPathComponent().path
            let make = try await RunningProgram.run(
                "/usr/bin/make",
                ["--silent", "-C", Self.sources.path, target, "BUILT=\(programs)", "DESTDIR=\(root.path)", "STRIP=:"])
            #expect(make.end == .exited(0), "\(make.errors)")
        }
        func files() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { path in
                var isDirectory: ObjCBool = false
                return FileManager.default.fileExists(atPath: root.path(path), isDirectory: &isDirectory)
                    && !isDirectory.boolValue
            }
        }
        try await make("install")
        #expect(try files().contains("usr/local/bin/storiesd"))
        // The second of them refers to the first, which must lie beside it.
        for name in ["manifest.schema.json", "openapi.yaml", "storiesd.json5"] {
            let installed = root.path("usr/local/share/storiesd/\(name)")
            #expect(try FileBytes.read(installed) == FileBytes.read("\(Self.sources.path)/config/\(name)"))
        }
        try await make("uninstall")
        #expect(try files() == ["etc/storiesd/storiesd.json5"])
    }
}
