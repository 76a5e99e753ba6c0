import Foundation
import Glibc
import Platform
import Stories
import TestSupport

/// Looks at a container again and again, on a thread of its own, as long as a test works at it: how many bytes its objects
/// took at most, and whether each manifest's pictures are there for as long as the manifest is.
final class LimitWatch: Sendable {
    /// What has been seen.
    struct Findings: Sendable {
        /// Looks taken.
        var looks = 0
        /// The most bytes that lay under `objects/` in one moment.
        var mostBytes = 0
        /// Pictures that a manifest named and that were not there.
        var broken: Set<String> = []
    }

    private let cache: String
    private let isOver = Locked(false)
    private let task: Task<Findings, any Error>

    /// Begins to look.
    init(_ place: DaemonPlace, group: String? = nil) {
        let cache = place.cache(group)
        let isOver = isOver
        self.cache = cache
        task = Task {
            try await Thread.run(name: "limit-watch") {
                var findings = Findings()
                while !isOver.withLock({ $0 }) { Self.look(at: cache, &findings) }
                Self.look(at: cache, &findings)
                return findings
            }
        }
    }

    /// Looks once more and tells.
    func findings() async throws -> Findings {
        isOver.withLock { $0 = true }
        return try await task.value
    }

    private static func look(at cache: String, _ findings: inout Findings) {
        findings.looks += 1
        var seen: [String: Int] = [:]
        for name in subpaths("\(cache)/objects") { seen[name] = size("\(cache)/objects/\(name)") }
        // Those that are still there were there together, in the moment between.
        let together = seen.filter { size("\(cache)/objects/\($0.key)") != nil }
        findings.mostBytes = max(findings.mostBytes, together.values.reduce(0, +))
        for id in (try? FileManager.default.contentsOfDirectory(atPath: "\(cache)/stories")) ?? [] {
            findings.broken.formUnion(missing(of: "\(cache)/stories/\(id)/manifest.json", in: cache))
        }
    }

    /// What the manifest names and is not there, though it is the same afterwards as before.
    static func missing(of path: String, in cache: String) -> [String] {
        guard let bytes = try? FileBytes.read(path), let manifest = try? Manifest(bytes: bytes) else { return [] }
        let missing = manifest.pages.compactMap(\.state.image).filter { size("\(cache)/\($0.file)") != $0.bytes }
        if missing.isEmpty || (try? FileBytes.read(path)) != bytes { return [] }
        return missing.map { "\(manifest.id): \($0.file)" }
    }

    private static func subpaths(_ path: String) -> [String] {
        (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    }

    /// The size of a regular file; nil for anything else.
    private static func size(_ path: String) -> Int? {
        var value = stat()
        guard lstat(path, &value) == 0, value.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(value.st_size)
    }
}
