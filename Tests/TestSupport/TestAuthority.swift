import Foundation

/// A certificate authority of the tests' own, with a certificate for `localhost`, `origin.test` and 127.0.0.1; made
/// once for each test process.
package final class TestAuthority: Sendable {
    private static let made = Result { try TestAuthority() }

    package static func shared() throws -> TestAuthority { try made.get() }

    private let directory: TemporaryDirectory

    /// The authority, for whoever is to trust it.
    package var certificateFile: String { directory.path("ca.pem") }
    /// For a server: its certificate and its key.
    package var serverCertificateFile: String { directory.path("server.pem") }
    package var serverKeyFile: String { directory.path("server.key") }

    private init() throws {
        directory = try TemporaryDirectory()
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try openssl(
            ["req", "-x509", "-days", "2", "-subj", "/CN=Test authority"] + key
                + ["-keyout", directory.path("ca.key"), "-out", certificateFile])
        try openssl(
            ["req", "-subj", "/CN=localhost"] + key
                + ["-keyout", serverKeyFile, "-out", directory.path("server.csr")])
        let names = "subjectAltName=DNS:localhost,DNS:origin.test,IP:127.0.0.1"
        try names.write(toFile: directory.path("names"), atomically: true, encoding: .utf8)
        try openssl([
            "x509", "-req", "-days", "2", "-in", directory.path("server.csr"), "-CA", certificateFile, "-CAkey",
            directory.path("ca.key"), "-CAcreateserial", "-extfile", directory.path("names"), "-out",
            serverCertificateFile,
        ])
    }

    private func openssl(_ arguments: [String]) throws {
        try Tool.run("/usr/bin/openssl", arguments)
    }
}
