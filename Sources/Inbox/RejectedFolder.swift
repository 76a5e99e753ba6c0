import Glibc
import JSON
import Platform

/// The folder `.rejected`: payloads that could not be taken, each with its reason beside it, for an operator to look
/// at. Keeps itself within its limits. Owned by the inbox's thread.
struct RejectedFolder: Sendable {
    enum Outcome {
        case taken
        /// The payload is here, and its reason could not be written.
        case takenWithoutReason(SystemError)
        /// There was nothing to take.
        case gone
    }

    private static let reasonEnding = ".reason.json"

    let directory: Directory
    private let temporaries: Directory
    private var ledger: RejectedLedger
    /// The last number that each name was given: looking for a free one from the start each time would take ever
    /// longer. A hint, cleared when it grows.
    private var numbers: [PayloadFile: Int] = [:]

    /// Takes stock of `directory` and removes what is over the limits. `temporaries` is a directory of the same
    /// filesystem.
    init(
        _ directory: Directory, temporaries: Directory, limits: RejectedLedger.Limits = RejectedLedger.Limits()
    ) throws(SystemError) {
        self.directory = directory
        self.temporaries = temporaries
        ledger = RejectedLedger(try Self.entries(in: directory), limits: limits)
        prune(at: .now())
    }

    /// Moves `source` of `origin` here, as `file` or the next free number of that name, and writes the reason beside
    /// it. Throws where it could not be moved.
    mutating func take(
        _ source: FileName, from origin: Directory, as file: PayloadFile, code: String, message: String
    ) throws(SystemError) -> Outcome {
        guard let status = try origin.status(of: source.text) else { return .gone }
        let folder = try folder(file.folder)
        let name = try move(source, from: origin, to: folder, as: file)
        let isKept = status.size <= ledger.limits.bytes
        if !isKept { try folder.remove(name.text) }
        let now = Timestamp.now()
        let reason: JSONValue = [
            "code": .string(code), "message": .string(message), "at": .string(now.description),
        ]
        let bytes = reason.serializedBytes(.pretty) + [UInt8(ascii: "\n")]
        defer {
            ledger.add(
                RejectedLedger.Entry(
                    at: now, file: PayloadFile(folder: file.folder, name: name),
                    bytes: (isKept ? status.size : 0) + Int64(bytes.count)))
            prune(at: now)
        }
        do {
            try AtomicFile.write(
                bytes, to: name.text + Self.reasonEnding, in: folder, temporaries: temporaries, mode: 0o640)
            return .taken
        } catch {
            return .takenWithoutReason(error)
        }
    }

    /// Removes what has grown too old.
    mutating func prune(at now: Timestamp) {
        for entry in ledger.prune(at: now) {
            // What cannot be removed now is met again at the next start.
            guard let folder = try? existing(entry.file.folder) else { continue }
            _ = try? folder.remove(entry.file.name.text)
            _ = try? folder.remove(entry.file.name.text + Self.reasonEnding)
            // Fails while others are in it.
            if let name = entry.file.folder { _ = try? directory.removeDirectory(name.text) }
        }
    }

    private mutating func move(
        _ source: FileName, from origin: Directory, to folder: Directory, as file: PayloadFile
    ) throws(SystemError) -> FileName {
        if numbers.count > 1000 { numbers = [:] }
        var number = numbers[file, default: 0]
        while true {
            number += 1
            let name = file.name.numbered(number, limit: FileName.longest - Self.reasonEnding.utf8.count)
            // A reason may lie there alone, where its payload was too large to be kept.
            if try folder.status(of: name.text + Self.reasonEnding) != nil { continue }
            if try origin.renameNew(source.text, to: name.text, in: folder) {
                numbers[file] = number
                return name
            }
        }
    }

    private func folder(_ name: FileName?) throws(SystemError) -> Directory {
        guard let name else { return directory }
        return try directory.makeDirectory(name.text, mode: 0o750)
    }

    private func existing(_ name: FileName?) throws(SystemError) -> Directory {
        guard let name else { return directory }
        return try directory.directory(name.text)
    }

    /// All payloads and reasons in `directory` and its folders.
    private static func entries(in directory: Directory) throws(SystemError) -> [RejectedLedger.Entry] {
        var entries: [RejectedLedger.Entry] = []
        for name in try directory.names() where !FileName(name).isHidden {
            guard let status = try directory.status(of: name), status.kind == .directory else { continue }
            entries += try self.entries(in: directory.directory(name), folder: FileName(name))
        }
        return try entries + self.entries(in: directory, folder: nil)
    }

    private static func entries(
        in directory: Directory, folder: FileName?
    ) throws(SystemError) -> [RejectedLedger.Entry] {
        var found: [FileName: (at: Timestamp, bytes: Int64)] = [:]
        for name in try directory.names().map(FileName.init) where !name.isHidden {
            guard let status = try directory.status(of: name.text), status.kind == .regular else { continue }
            let isReason = name.hasSuffix(".json" + reasonEnding)
            let payload = isReason ? FileName(String(name.text.dropLast(reasonEnding.count))) : name
            let other = found[payload]
            // The age is that of the reason, where there is one.
            found[payload] = (
                isReason ? status.modified : other?.at ?? status.modified, (other?.bytes ?? 0) + status.size
            )
        }
        return found.map { name, file in
            RejectedLedger.Entry(at: file.at, file: PayloadFile(folder: folder, name: name), bytes: file.bytes)
        }
    }
}
