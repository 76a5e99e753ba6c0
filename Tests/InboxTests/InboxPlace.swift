import Foundation
import JSON
import Platform
import TestSupport

@testable import Inbox

/// An inbox in a directory of its own, and the hands of those who drop files in it.
final class InboxPlace {
    let directory: TemporaryDirectory
    let path: String
    let inbox: PayloadInbox
    private var claims: AsyncStream<Claim>.Iterator

    /// In `directory`, where an earlier inbox may have been. `prepare` runs before the inbox is opened.
    init(
        _ directory: TemporaryDirectory? = nil, _ change: (inout InboxOptions) -> Void = { _ in },
        prepare: (String) throws -> Void = { _ in },
        isWhole: @escaping @Sendable ([UInt8]) -> Bool = { (try? JSONParser.parse($0)) != nil }
    ) throws {
        self.directory = try directory ?? TemporaryDirectory()
        path = self.directory.path("inbox")
        var options = InboxOptions(path: path, rescanInterval: .seconds(3600))
        change(&options)
        try prepare(path)
        inbox = try PayloadInbox(options: options, log: Log(program: "test", level: .error), isWhole: isWhole)
        claims = inbox.claims.makeAsyncIterator()
    }

    func start() async throws {
        try await inbox.start()
    }

    /// The next claim.
    func next() async throws -> Claim {
        guard let claim = await claims.next() else { throw Ended() }
        return claim
    }

    struct Ended: Error {}

    /// Writes under a temporary name and renames, as a good writer does.
    func drop(_ name: String, _ text: String, folder: String? = nil) throws {
        let place = folder.map { "\(path)/\($0)" } ?? path
        try Data(text.utf8).write(to: URL(filePath: "\(place)/.new-\(name)"))
        guard rename("\(place)/.new-\(name)", "\(place)/\(name)") == 0 else { throw SystemError("rename") }
    }

    /// The names in the inbox itself that are not hidden, sorted.
    func payloads() throws -> [String] {
        try names("").filter { !$0.hasPrefix(".") }
    }

    /// The names in a folder of the inbox, sorted.
    func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
    }

    func content(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }
}
