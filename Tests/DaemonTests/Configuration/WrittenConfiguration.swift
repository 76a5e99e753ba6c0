import Foundation
import TestSupport

@testable import Daemon

/// A configuration file of the test's own, loaded for a user whose home is a temporary directory.
struct WrittenConfiguration {
    let directory: TemporaryDirectory
    var environment: [String: String]
    var userID: UInt32 = 1000

    /// Writes `text` as the file that is named by `path`; nil writes none.
    init(_ text: String? = nil) throws {
        directory = try TemporaryDirectory()
        environment = ["HOME": directory.path]
        if let text { try text.write(toFile: path, atomically: false, encoding: .utf8) }
    }

    var path: String { directory.path("storiesd.json5") }

    /// Loads the file with `--set`s in the words of the command line.
    func load(_ settings: String...) throws -> Configuration {
        let overrides = settings.compactMap { ConfigurationOverride($0) }
        return try Configuration.load(
            file: path, overrides: overrides, environment: environment, userID: userID)
    }

    /// Loads no file, only `--set`s.
    static func load(_ settings: String...) throws -> Configuration {
        let overrides = settings.compactMap { ConfigurationOverride($0) }
        return try Configuration.load(file: nil, overrides: overrides, environment: ["HOME": "/nowhere"], userID: 1000)
    }

    /// What is wrong when it is loaded; empty when nothing is.
    func problems(_ settings: String...) -> [ConfigurationProblem] {
        let overrides = settings.compactMap { ConfigurationOverride($0) }
        do throws(ConfigurationError) {
            _ = try Configuration.load(file: path, overrides: overrides, environment: environment, userID: userID)
            return []
        } catch {
            return error.problems
        }
    }
}
