import Foundation
import Glibc
import TestSupport
import Testing

@testable import Daemon

struct CertificateFileTests {
    private let authority: [UInt8]

    init() async throws {
        authority = try FileBytes.read(try await TestAuthority.shared().certificateFile)
    }

    private var lines: [String] { String(decoding: authority, as: UTF8.self).split(separator: "\n").map(String.init) }

    private func trouble(_ text: String) -> String? { CertificateFile.trouble(in: Array(text.utf8)) }

    @Test("One certificate, several, and text around them are fine, whatever ends the lines")
    func good() {
        let text = lines.joined(separator: "\n")
        #expect(trouble(text) == nil)
        #expect(trouble("# Root\nsubject=CN\n\(text)\n\n\(text)\n") == nil)
        #expect(trouble(lines.joined(separator: "\r\n") + "\r\n") == nil)
        #expect(trouble(text.replacingOccurrences(of: " CERTIFICATE", with: " TRUSTED CERTIFICATE")) == nil)
    }

    @Test("The system's own file is fine", .enabled(if: access("/etc/ssl/certs/ca-certificates.crt", R_OK) == 0))
    func system() {
        #expect(CertificateFile(path: "/etc/ssl/certs/ca-certificates.crt").trouble() == nil)
    }

    @Test(
        "What holds no certificate is refused", arguments: ["", "\n", "certificate", "-----BEGIN -----", "\u{0}\u{1}"])
    func none(text: String) {
        #expect(trouble(text)?.hasPrefix("holds no certificate") == true)
    }

    @Test("A key is no certificate, and certificates in DER are none that are read")
    func otherKinds() async throws {
        let key = try FileBytes.read(try await TestAuthority.shared().serverKeyFile)
        #expect(CertificateFile.trouble(in: key)?.hasPrefix("holds no certificate") == true)
        let der = try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined()))
        #expect(CertificateFile.trouble(in: Array(der))?.hasPrefix("holds no certificate") == true)
    }

    @Test("A certificate that is cut off or damaged is named by its line")
    func damaged() {
        let broken = "has a certificate that is cut off or damaged, which begins at its line"
        let begin = lines[0]
        let end = lines[lines.count - 1]
        let whole = lines.joined(separator: "\n")
        #expect(trouble(lines.dropLast().joined(separator: "\n")) == "\(broken) 1")
        #expect(trouble("\(whole)\n\(lines.dropLast().joined(separator: "\n"))") == "\(broken) \(lines.count + 1)")
        #expect(trouble("\(begin)\n\(whole)") == "\(broken) 1")
        #expect(trouble("\(begin)\n\(end)") == "\(broken) 1")
        #expect(trouble(([begin] + lines[2...]).joined(separator: "\n")) == "\(broken) 1")
        #expect(trouble(([begin, lines[1], end]).joined(separator: "\n")) == "\(broken) 1")
        #expect(trouble(([begin, "!" + lines[1].dropFirst()] + lines[2...]).joined(separator: "\n")) == "\(broken) 1")
        #expect(trouble("\(begin)\nMAMC=\n\(end)") == "\(broken) 1")
    }

    @Test("A file that cannot be read is refused for what it is")
    func unreadable() throws {
        let directory = try TemporaryDirectory()
        #expect(CertificateFile(path: directory.path("none")).trouble() == "cannot be read: No such file or directory")
        #expect(CertificateFile(path: directory.path).trouble() == "is a directory")
        #expect(mkfifo(directory.path("fifo"), 0o600) == 0)
        #expect(CertificateFile(path: directory.path("fifo")).trouble() == "is no regular file")
    }
}
