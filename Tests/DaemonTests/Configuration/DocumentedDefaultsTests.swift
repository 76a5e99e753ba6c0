import Foundation
import JSON
import Testing

@testable import Daemon

/// Holds `config/storiesd.json5` to the table of keys.
struct DocumentedDefaultsTests {
    private let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../config/storiesd.json5").standardized.path

    private var lines: [String] {
        get throws {
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("The file gives every key its system default, in the order of the table")
    func defaults() throws {
        let written = try JSONParser.parse(Array(Data(contentsOf: URL(filePath: path))), dialect: .json5)
        let defaults = Configuration(DefaultPlaces(environment: [:], userID: 0)).json
        #expect(written.serialized(.pretty) == defaults.serialized(.pretty))
    }

    @Test("Loading the file changes nothing")
    func loads() throws {
        let loaded = try Configuration.load(file: path, overrides: [], environment: [:], userID: 0)
        #expect(loaded == Configuration(DefaultPlaces(environment: [:], userID: 0)))
    }

    @Test("Above each key stand its reason, its range with the unit, and whether a reload takes it")
    func comments() throws {
        let lines = try lines
        var place = 0
        for key in ConfigurationKey.all {
            // Keys come in the order of the table, so equal names in two sections are told apart.
            let line = try #require(
                lines[place...].firstIndex { $0.hasPrefix("\(key.lastName): ") }, "\(key.name) is missing")
            #expect(Array(lines[max(0, line - 2)..<line]) == comment(of: key), "above \(key.name)")
            place = line
        }
    }

    private func comment(of key: ConfigurationKey) -> [String] {
        ["// \(key.summary)", "// \(key.rule); \(key.isReloadable ? "a reload takes it" : "needs a restart")"]
    }

    @Test("The README names no key that is not in the table, and each of those that need a restart")
    func readme() throws {
        let readme = URL(filePath: path).deletingLastPathComponent().appending(path: "../README.md").standardized
        let text = try String(contentsOf: readme, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("Configuration\n") })
        let sections = ConfigurationKey.sections.joined(separator: "|")
        let names = try Regex("`((?:\(sections))\\.[a-z_]+)`")
        for match in section.matches(of: names) {
            let name = String(match.output[1].substring ?? "")
            #expect(ConfigurationKey.named(name) != nil, "\(name)")
        }
        let restarting = ConfigurationKey.all.filter { !$0.isReloadable }.map { "`\($0.name)`" }
        #expect(section.contains("(\(restarting.joined(separator: ", ")))"))
    }
}
