import Foundation
import Glibc
import TestSupport

/// A program that downloads a list of URLs into files, up to 16 at a time; from the one origin of these rounds the daemon
/// downloads 6 at a time.
struct Downloader {
    static let all = [
        Downloader(program: "curl", title: "curl --parallel --parallel-max 16") { list, folder in
            ["--disable", "--silent", "--show-error", "--fail", "--parallel", "--parallel-max", "16", "--config", list]
        },
        Downloader(program: "wget2", title: "wget2 --max-threads=16") { list, folder in
            [
                "--no-config", "--quiet", "--no-hsts", "--max-threads=16", "--directory-prefix", folder, "--input-file",
                list,
            ]
        },
        Downloader(program: "aria2c", title: "aria2c --max-concurrent-downloads=16") { list, folder in
            [
                "--no-conf", "--quiet", "--file-allocation=none", "--max-concurrent-downloads=16", "--dir", folder,
                "--input-file", list,
            ]
        },
    ]

    let program: String
    let title: String
    private let arguments: @Sendable (_ list: String, _ folder: String) -> [String]

    private var path: String { "/usr/bin/\(program)" }

    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    private init(
        program: String, title: String, arguments: @escaping @Sendable (_ list: String, _ folder: String) -> [String]
    ) {
        self.program = program
        self.title = title
        self.arguments = arguments
    }

    /// In seconds.
    struct Measured {
        private var time = Samples()
        private var user = Samples()
        private var system = Samples()
        /// Kept to the end, as `StoryFlood` does.
        private var directories: [TemporaryDirectory] = []

        /// Runs it over all pictures of the load.
        mutating func measure(_ downloader: Downloader, _ load: StoryLoad) async throws {
            let directory = try TemporaryDirectory()
            directories.append(directory)
            let folder = directory.path("pictures")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let list = directory.path("list")
            try FileBytes.put(downloader.list(load, folder), at: list)
            sync()
            let before = ProcessorTime.usedByEndedChildren()
            let start = ContinuousClock.now
            try await Tool.run(downloader.path, downloader.arguments(list, folder))
            time.add((ContinuousClock.now - start).seconds)
            let used = ProcessorTime.usedByEndedChildren() - before
            user.add(used.user)
            system.add(used.system)
            let bytes = try FileManager.default.contentsOfDirectory(atPath: folder)
                .reduce(0) { try $0 + FileBytes.read("\(folder)/\($1)").count }
            guard bytes == load.sizes.reduce(0, +) else {
                throw BenchFailure("\(downloader.program) brought \(bytes) bytes, which are not those of all pictures")
            }
        }

        func write(to table: inout Table, _ title: String) {
            table.row("\(title), s", time)
            table.row("  processor time, user, s", user)
            table.row("  processor time, system, s", system)
        }
    }

    /// curl wants to be told each file's name; the others take it from the URL.
    private func list(_ load: StoryLoad, _ folder: String) -> [UInt8] {
        let lines = load.urls.enumerated().map { number, url in
            program == "curl" ? "url = \"\(url)\"\noutput = \"\(folder)/\(number).jpg\"\n" : "\(url)\n"
        }
        return Array(lines.joined().utf8)
    }
}
