import Foundation
import Glibc
import TestSupport

/// `make bench`: how long the built daemon takes, beside programs that only download. Prints a table; asserts nothing
/// but that all work was done. Usage: bench [ROUNDS [KEY=VALUE …]], where the latter are settings of the daemon.
@main struct Bench {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let rounds = Int(arguments.first ?? "5"), rounds > 0 else {
            print("usage: bench [ROUNDS [KEY=VALUE …]]")
            exit(2)
        }
        let settings = Array(arguments.dropFirst())
        let load = try await StoryLoad(stories: 500, pages: 4, origin: NginxOrigin())
        let downloaders = Downloader.all.filter(\.isInstalled)

        var single = SingleStory.Measured()
        // Some milliseconds each: more of them, so that the median is one.
        for number in 0..<4 * rounds { try await single.measure(load, story: number, settings) }
        var flood = StoryFlood.Measured()
        var others = [Downloader.Measured](repeating: Downloader.Measured(), count: downloaders.count)
        // In turns, so that all see the same machine.
        for _ in 0..<rounds {
            try await flood.measure(load, settings)
            for (place, downloader) in downloaders.enumerated() {
                try await others[place].measure(downloader, load)
            }
        }

        let megabytes = Double(load.sizes.reduce(0, +)) / 1e6
        var table = Table()
        table.heading("one story of \(load.pages) pages, none of them cached (\(4 * rounds) times)")
        single.write(to: &table)
        table.heading(
            "\(load.stories) stories of \(load.pages) pages, \(load.urls.count) pictures, "
                + String(format: "%.0f MB, none of them cached", megabytes))
        flood.writeCold(to: &table, megabytes: megabytes)
        table.heading("the same stories under other names, every picture fresh in the cache: no request")
        flood.writeAgain(to: &table)
        table.heading("the same \(load.urls.count) URLs by programs that download them into files, and do nothing else")
        for (downloader, measured) in zip(downloaders, others) { measured.write(to: &table, downloader.title) }
        print(try await machine(), "rounds: \(rounds)" + settings.map { ", \($0)" }.joined(), separator: "; ")
        print(table.text)
        let missing = Downloader.all.filter { !$0.isInstalled }.map(\.program)
        if !missing.isEmpty { print("left out, as not installed: \(missing.joined(separator: ", "))") }
    }

    /// What the numbers depend on.
    private static func machine() async throws -> String {
        let findmnt = try await RunningProgram.run(
            "/usr/bin/findmnt", ["-n", "-o", "FSTYPE", "-T", NSTemporaryDirectory()])
        let filesystem = String(decoding: findmnt.output, as: UTF8.self).split(separator: "\n").first ?? "unknown"
        return "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, \(filesystem), nginx on the loopback"
    }
}
