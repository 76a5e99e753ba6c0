import Addresses
import Foundation
import Glibc
import Hashing
import ImageInspection
import Platform
import TestOrigins
import TestSupport

@testable import Transfers

/// A loop that may reach this machine, an origin for it, and a place for what it fetches.
final class TransferFixture: Sendable {
    let origin: ScriptedOrigin
    let loop: TransferLoop
    private let directory: TemporaryDirectory
    private let files = Locked(0)

    /// `change` alters the options; `lookUp` takes the place of the system's resolver.
    init(
        _ change: (inout TransferOptions) -> Void = { _ in },
        lookUp: @escaping @Sendable (String) -> LookupQueue.Answer = Resolver.system
    ) throws {
        var options = TransferFixture.options
        change(&options)
        origin = try ScriptedOrigin()
        directory = try TemporaryDirectory()
        loop = try TransferLoop(
            options: options, log: Log(program: "test", level: .error), resolver: Resolver(lookUp: lookUp))
    }

    deinit {
        let loop = loop
        Task { await loop.stop() }
    }

    /// The defaults, with leave to reach this machine.
    static var options: TransferOptions {
        var options = TransferOptions()
        options.addresses = AddressPolicy(allowed: ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) })
        return options
    }

    /// A new file in the fixture's directory.
    func file() throws -> Descriptor {
        let name = files.withLock { count in
            count += 1
            return "\(count)"
        }
        return try Directory.open(directory.path).openFile(name, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    }

    /// Fetches `path` of the origin, or an absolute URL.
    func fetch(_ target: String, into file: Descriptor? = nil) async throws -> Result<Download, TransferFailure> {
        let arrival = try await arrival(target, into: file)
        switch arrival {
        case .success(.picture(let download)): return .success(download)
        case .success(.unchanged): throw Unexpected()
        case .failure(let failure): return .failure(failure)
        }
    }

    /// The same, with conditions.
    func arrival(
        _ target: String, into file: Descriptor? = nil, validators: Validators? = nil
    ) async throws -> Result<Arrival, TransferFailure> {
        let url = try url(target)
        return await loop.download(TransferRequest(url: url, body: try file ?? self.file(), validators: validators))
    }

    /// Goes on with what `file` holds, which came from `source` or, where that is not given, from `target`.
    func resume(
        _ target: String, _ file: Descriptor, validator: String, total: Int64?, from source: String? = nil
    ) async throws -> Result<Download, TransferFailure> {
        let request = TransferRequest(
            url: try url(target), body: file, validators: Validators(etag: "\"another\"", lastModified: nil),
            resumption: Resumption(
                prefix: BodyPrefix(of: try content(of: file)), validator: validator, source: try name(source ?? target),
                total: total))
        switch await loop.download(request) {
        case .success(.picture(let download)): return .success(download)
        case .success(.unchanged): throw Unexpected()
        case .failure(let failure): return .failure(failure)
        }
    }

    /// `path` of the origin, or an absolute URL.
    func url(_ target: String) throws -> WebURL {
        try WebURL(target.hasPrefix("/") ? origin.url(target) : target)
    }

    /// The name of that URL as a source.
    func name(_ target: String) throws -> ContentID { .of(utf8: try url(target).key) }

    /// Fetches what is expected to fail.
    func failure(_ target: String) async throws -> TransferFailure {
        switch try await fetch(target) {
        case .success(let download): throw Unexpected(download: download)
        case .failure(let failure): return failure
        }
    }

    /// Serves `answers` at /picture and fetches that, expecting it to fail.
    func failure(of answers: ScriptedAnswer...) async throws -> TransferFailure {
        origin.script("/picture", answers)
        return try await failure("/picture")
    }

    /// A picture where a failure was expected.
    struct Unexpected: Error {
        var download: Download?
    }
}

extension BodyPrefix {
    /// These bytes, seen piece by piece.
    convenience init(of bytes: [UInt8]) {
        var hasher = ContentHasher()
        var inspector = ImageInspector()
        for start in stride(from: 0, to: bytes.count, by: 4096) {
            bytes[start..<min(start + 4096, bytes.count)].withUnsafeBytes { piece in
                hasher.update(piece)
                inspector.consume(piece)
            }
        }
        self.init(bytes: Int64(bytes.count), hasher: hasher, inspector: inspector)
    }
}

/// What a file holds.
func content(of file: Descriptor) throws -> [UInt8] {
    lseek(file.raw, 0, SEEK_SET)
    return try file.readAll(limit: 1 << 30) ?? []
}
