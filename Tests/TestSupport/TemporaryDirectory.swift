import Foundation
import Platform

/// A directory of the test's own, gone with all that is in it when the last reference goes.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        var template = Array(NSTemporaryDirectory().utf8CString.dropLast())
        template += Array("push-stories-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // What cannot be removed is no finding of the test that made it.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// `name` in it.
    package func path(_ name: String) -> String { "\(path)/\(name)" }
}
