import Foundation

/// A certificate authority of the tests' own, with a certificate for `localhost`, `origin.test` and 127.0.0.1; made
/// once for each test process.
package final class TestAuthority: Sendable {
    private static let made = Task { try await TestAuthority() }

    package static func shared() async throws -> TestAuthority { try await made.value }

    private let directory: TemporaryDirectory

    /// The authority, for whoever is to trust it.
    package var certificateFile: String { directory.path("ca.pem") }
    /// For a server: its certificate and its key.
    package var serverCertificateFile: String { directory.path("server.pem") }
    package var serverKeyFile: String { directory.path("server.key") }

    private init() async throws {
        directory = try TemporaryDirectory()
        try await Self.make("Test authority", at: certificateFile, key: directory.path("ca.key"))
        try await openssl(
            ["req", "-subj", "/CN=localhost"] + Self.newKey
                + ["-keyout", serverKeyFile, "-out", directory.path("server.csr")])
        let names = "subjectAltName=DNS:localhost,DNS:origin.test,IP:127.0.0.1"
        try names.write(toFile: directory.path("names"), atomically: true, encoding: .utf8)
        try await openssl([
            "x509", "-req", "-days", "2", "-in", directory.path("server.csr"), "-CA", certificateFile, "-CAkey",
            directory.path("ca.key"), "-CAcreateserial", "-extfile", directory.path("names"), "-out",
            serverCertificateFile,
        ])
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    /// Makes an authority that has vouched for nobody: its certificate and its key at these paths.
    package static func make(_ name: String, at certificate: String, key: String) async throws {
        try await Tool.run(
            "/usr/bin/openssl",
            ["req", "-x509", "-days", "2", "-subj", "/CN=\(name)"] + newKey + ["-keyout", key, "-out", certificate])
    }

    private func openssl(_ arguments: [String]) async throws {
        try await Tool.run("/usr/bin/openssl", arguments)
    }
}
