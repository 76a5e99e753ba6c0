import Glibc
import JSON
import Platform

/// The folder `.rejected`: payloads that could not be taken, each with its reason beside it, for an operator to look
/// at. Keeps itself within its limits. Owned by the inbox's thread.
///
/// A reason is on disk before its payload is moved, under a hidden name that it has until the payload lies beside it.
/// So whatever instant a crash comes at, taking stock finds which rejections were finished: no payload stays without
/// a reason, and no reason of a payload that is still elsewhere.
struct RejectedFolder: Sendable {
    enum Outcome {
        case taken
        /// The payload is here, and its reason still has its hidden name: the next stock-taking gives it the other.
        case takenWithoutReason(SystemError)
        /// There was nothing to take.
        case gone
    }

    private static let reasonEnding = ".reason.json"
    /// What a payload's name may take, for the longest name beside it: the hidden one of its reason.
    private static let longestName = FileName.longest - 1 - reasonEnding.utf8.count

    let directory: Directory
    private let temporaries: Directory
    private var ledger: RejectedLedger
    /// The last number that each name was given: looking for a free one from the start each time would take ever
    /// longer. A hint, cleared when it grows.
    private var numbers: [PayloadFile: Int] = [:]

    /// Takes stock of `directory`. `temporaries` is a directory of the same filesystem.
    init(
        _ directory: Directory, temporaries: Directory, limits: RejectedLedger.Limits = RejectedLedger.Limits()
    ) throws(SystemError) {
        self.directory = directory
        self.temporaries = temporaries
        ledger = RejectedLedger([], limits: limits)
        try takeStock(at: .now())
    }

    /// Moves `source` of `origin` here, as `file` or the next free number of that name, with its reason beside it.
    /// Where this throws, the payload is where it was.
    mutating func take(
        _ source: FileName, from origin: Directory, as file: PayloadFile, code: String, message: String
    ) throws(SystemError) -> Outcome {
        guard let status = try origin.status(of: source.text) else { return .gone }
        let now = Timestamp.now()
        let reason = Self.reason(code, message, at: now)
        let bytes = status.size + Int64(reason.count)
        // One that alone is too large for the folder goes; its reason stays.
        let isKept = bytes <= ledger.limits.bytes
        let (files, kept) = isKept ? (2, bytes) : (1, Int64(reason.count))
        prune(at: now, roomFor: files, bytes: kept)
        let (folder, folderName) = try folder(file.folder)
        let (name, number) = try freeName(for: file, in: folder)
        let (final, hidden) = (Self.reasonName(name), Self.hiddenReasonName(name))
        let first = isKept ? hidden : final
        try write(reason, to: first, in: folder)
        do throws(SystemError) {
            if !isKept {
                try origin.remove(source.text)
            } else if try !origin.renameNew(source.text, to: name.text, in: folder) {
                // Somebody else makes names here. At the next try it is seen, and another is taken.
                throw SystemError("rename", path: folder.subpath(name.text), code: EEXIST)
            }
        } catch {
            // A hidden one that stays is removed by the next stock-taking; the other is told twice then.
            _ = try? folder.remove(first)
            throw error
        }
        numbers[file] = number
        ledger.add(
            RejectedLedger.Entry(
                at: now, file: PayloadFile(folder: folderName, name: name), files: files, bytes: kept))
        do throws(SystemError) {
            if isKept { try folder.rename(hidden, to: final, in: folder) }
            return .taken
        } catch {
            return .takenWithoutReason(error)
        }
    }

    /// Finishes what a crash has left, takes all sizes again (a writer may still have a payload open), and removes
    /// what is over the limits.
    mutating func takeStock(at now: Timestamp) throws(SystemError) {
        var entries = try stock(of: directory, nil, at: now)
        for name in try directory.names().map(FileName.init) where !name.isHidden {
            guard try directory.status(of: name.text)?.kind == .directory else { continue }
            entries += try stock(of: directory.directory(name.text), name, at: now)
        }
        ledger = RejectedLedger(entries, limits: ledger.limits)
        prune(at: now)
    }

    private mutating func prune(at now: Timestamp, roomFor files: Int = 0, bytes: Int64 = 0) {
        for entry in ledger.prune(at: now, roomFor: files, bytes: bytes) {
            // What cannot be removed now is met again when stock is taken.
            guard let folder = try? existing(entry.file.folder) else { continue }
            _ = try? folder.remove(entry.file.name.text)
            _ = try? folder.remove(Self.reasonName(entry.file.name))
            // Fails while others are in it.
            if let name = entry.file.folder { _ = try? directory.removeDirectory(name.text) }
        }
    }

    /// A name of which neither payload nor reason is there: a reason may lie alone, where its payload was too large.
    private mutating func freeName(
        for file: PayloadFile, in folder: Directory
    ) throws(SystemError) -> (FileName, Int) {
        if numbers.count > 1000 { numbers = [:] }
        var number = numbers[file, default: 0]
        while true {
            number += 1
            let name = file.name.numbered(number, limit: Self.longestName)
            guard try folder.status(of: name.text) == nil, try folder.status(of: Self.reasonName(name)) == nil
            else { continue }
            return (name, number)
        }
    }

    /// The folder for those of `name`; under the next number where a rejected file has that name.
    private func folder(_ name: FileName?) throws(SystemError) -> (Directory, FileName?) {
        guard let name else { return (directory, nil) }
        var number = 0
        while true {
            number += 1
            let numbered = name.numbered(number)
            do throws(SystemError) {
                return (try directory.makeDirectory(numbered.text, mode: 0o750), numbered)
            } catch {
                guard error.code == ENOTDIR || error.code == ELOOP else { throw error }
            }
        }
    }

    private func existing(_ name: FileName?) throws(SystemError) -> Directory {
        guard let name else { return directory }
        return try directory.directory(name.text)
    }

    private func write(_ reason: [UInt8], to name: String, in folder: Directory) throws(SystemError) {
        try AtomicFile.write(reason, to: name, in: folder, temporaries: temporaries, mode: 0o640)
    }

    private static func reason(_ code: String, _ message: String, at now: Timestamp) -> [UInt8] {
        let reason: JSONValue = [
            "code": .string(code), "message": .string(message), "at": .string(now.description),
        ]
        return reason.serializedBytes(.pretty) + [UInt8(ascii: "\n")]
    }

    private static func reasonName(_ payload: FileName) -> String { payload.text + reasonEnding }

    private static func hiddenReasonName(_ payload: FileName) -> String { "." + payload.text + reasonEnding }

    /// The payload that `name` would be the reason of.
    private static func payload(ofReason name: FileName) -> FileName? {
        name.removing(suffix: reasonEnding).map(FileName.init).flatMap { $0.hasSuffix(".json") ? $0 : nil }
    }
}

// Taking stock.
extension RejectedFolder {
    /// All payloads and reasons in `folder`, once they are in order.
    private func stock(
        of folder: Directory, _ folderName: FileName?, at now: Timestamp
    ) throws(SystemError) -> [RejectedLedger.Entry] {
        var files: [FileName: FileStatus] = [:]
        for name in try folder.names().map(FileName.init) where name.hasSuffix(".json") {
            guard let status = try folder.status(of: name.text), status.kind == .regular else { continue }
            files[name] = status
        }
        for name in files.keys where name.isHidden { try finish(name, in: folder, &files) }
        var entries: [RejectedLedger.Entry] = []
        for (name, status) in files where !name.isHidden {
            let ownReason = files[FileName(Self.reasonName(name))]
            // A payload may be called like a reason, and then it has one itself.
            if ownReason == nil, let payload = Self.payload(ofReason: name) {
                guard files[payload] == nil else { continue }
                let file = PayloadFile(folder: folderName, name: payload)
                entries.append(RejectedLedger.Entry(at: status.modified, file: file, files: 1, bytes: status.size))
                continue
            }
            let reason = ownReason ?? writeLostReason(of: name, in: folder, at: now)
            let reasonBytes = reason?.size ?? 0
            // It has grown since it was taken: as one that was too large then.
            let isGone = status.size + reasonBytes > ledger.limits.bytes
            if isGone { try folder.remove(name.text) }
            entries.append(
                RejectedLedger.Entry(
                    // The age is that of the reason.
                    at: reason?.modified ?? now, file: PayloadFile(folder: folderName, name: name),
                    files: isGone ? 1 : 2, bytes: reasonBytes + (isGone ? 0 : status.size)))
        }
        return entries
    }

    /// A reason with a hidden name gets its own where its payload has come, and goes where it has not: then the payload
    /// is still where it was, and is rejected anew.
    private func finish(
        _ hidden: FileName, in folder: Directory, _ files: inout [FileName: FileStatus]
    ) throws(SystemError) {
        let name = FileName(String(hidden.text.unicodeScalars.dropFirst()))
        guard let payload = Self.payload(ofReason: name) else { return }
        if files[payload] != nil, files[name] == nil {
            try folder.rename(hidden.text, to: name.text, in: folder)
            files[name] = files[hidden]
        } else {
            try folder.remove(hidden.text)
        }
    }

    /// Nil where it cannot be written now.
    private func writeLostReason(of payload: FileName, in folder: Directory, at now: Timestamp) -> FileStatus? {
        let reason = Self.reason("unknown", "the reason was lost in a crash", at: now)
        // It is tried again at each stock-taking, and until then the payload counts as new.
        guard (try? write(reason, to: Self.reasonName(payload), in: folder)) != nil else { return nil }
        return try? folder.status(of: Self.reasonName(payload))
    }
}
