import Glibc
import Platform
import Stories

// How a waiting file becomes a claim, and how claims go out.
extension InboxLoop {
    /// Looks at the next file, if there is one.
    mutating func takeNextFile(_ folders: InboxFolders, at now: Moment) -> Bool {
        guard let file = intake.next(at: now) else { return false }
        var status: FileStatus?
        do throws(SystemError) {
            try take(file, folders, at: now, &status)
        } catch let error where error.isMissing || error.code == ENOTDIR || error.code == ELOOP {
            intake.forget(file)
            if status != nil { reopenIfLost(folders) }
        } catch {
            refuse(file, status, error)
        }
        return true
    }

    private mutating func take(
        _ file: PayloadFile, _ folders: InboxFolders, at now: Moment, _ status: inout FileStatus?
    ) throws(SystemError) {
        let directory = try file.folder.map { name throws(SystemError) in try folders.root.directory(name.text) }
        let place = directory ?? folders.root
        // Looked at before it is opened: opening a pipe or a device is felt at its other end.
        status = try place.status(of: file.name.text)
        guard status?.kind == .regular else { return intake.forget(file) }
        // What cannot be read stays where it is, so that is tried before it is moved.
        let descriptor = try place.openFile(file.name.text, flags: O_RDONLY | O_NONBLOCK)
        let open = try descriptor.status()
        guard open.kind == .regular else { return intake.forget(file) }
        let look = Intake.Look(size: open.size, links: open.links, modified: open.modified)
        let (limit, isWhole) = (options.payloadBytes, isWhole)
        let verdict = intake.judge(file, look, at: now) {
            // Unreadable bytes are found again, and told, when the claim is read.
            guard let bytes = try? descriptor.readAll(limit: limit) else { return true }
            return isWhole(bytes)
        }
        guard verdict == .take else { return }
        if let folder = file.folder, GroupID(folder.text) == nil {
            try moveToRejected(
                file.name, from: place, as: file, code: "bad_group",
                message: "the folder's name \"\(folder)\" is no group id: [A-Za-z0-9][A-Za-z0-9._-]{0,127}")
        } else {
            try claim(file, in: place, folders)
        }
        intake.forget(file)
    }

    private mutating func claim(_ file: PayloadFile, in place: Directory, _ folders: InboxFolders) throws(SystemError) {
        let group = file.folder.map { GroupID($0.text) } ?? options.appGroup
        let claimedAt = claimClock.next(at: .now())
        while true {
            claimCount += 1
            let name = ClaimName(claimedAt: claimedAt, count: claimCount, group: group, payloadName: file.name)
            guard try place.renameNew(file.name.text, to: name.fileName.text, in: folders.claimed) else { continue }
            return offer(name, payloadName: file.name, claimedAt: name.claimedAt, folders)
        }
    }

    /// Moves it to `.rejected`, counts and says so.
    mutating func moveToRejected(
        _ name: FileName, from place: Directory, as file: PayloadFile, code: String, message: String
    ) throws(SystemError) {
        let outcome = try folders?.rejected.take(name, from: place, as: file, code: code, message: message)
        if case .gone? = outcome { return }
        statistics.rejected += 1
        log.warning(
            "inbox: rejected \(file): \(code): \(message)", .group(file.folder.flatMap { GroupID($0.text) }),
            .code(code))
        whenRejected(
            Rejection(
                group: file.folder.flatMap { GroupID($0.text) }, file: file.description, code: code, message: message))
        if case .takenWithoutReason(let error)? = outcome {
            log.warning("inbox: the reason for \(file) is still hidden: \(error)")
        }
    }

    private mutating func refuse(_ file: PayloadFile, _ status: FileStatus?, _ error: SystemError) {
        let remedy =
            switch (error.operation, error.code) {
            case ("open", EACCES), ("open", EPERM):
                "let the daemon's user read it, by mode or by a default ACL on the inbox"
            case ("rename", EACCES), ("rename", EPERM):
                "let the daemon's user write to the folder, and own it where it is sticky"
            default: "it is tried again at each rescan"
            }
        let message = "\(file): \(ownership(status))\(error); \(remedy)"
        if intake.refuse(file, message), intake.refused <= 100 { log.warning("inbox: \(message)") }
    }

    /// Whose it is and what its mode is, for a message that goes on.
    func ownership(_ status: FileStatus?) -> String {
        status.map { "owner \($0.owner), mode 0\(String($0.mode, radix: 8)): " } ?? ""
    }

    /// Offers the next claim that waits, if there is one.
    mutating func offerNextClaim(_ folders: InboxFolders) -> Bool {
        guard let name = backlog.next() else { return false }
        if let claim = ClaimName(name), !out.contains(name) {
            let now = Timestamp.now()
            // A name that somebody made up must not make times that no manifest can hold.
            let claimedAt = claim.isPossible(at: now) ? claim.claimedAt : claimClock.next(at: now)
            offer(claim, payloadName: claim.payloadName, claimedAt: claimedAt, folders)
        }
        return true
    }

    /// Reads a claim and sends it out; one too large is rejected. One that cannot be read waits for a rescan.
    private mutating func offer(
        _ name: ClaimName, payloadName: FileName, claimedAt: Timestamp, _ folders: InboxFolders
    ) {
        do throws(SystemError) {
            let descriptor = try folders.claimed.openFile(name.fileName.text, flags: O_RDONLY | O_NONBLOCK)
            guard try descriptor.status().kind == .regular else { return }
            guard let bytes = try descriptor.readAll(limit: options.payloadBytes) else {
                return try moveToRejected(
                    name.fileName, from: folders.claimed, as: PayloadFile(name, payloadName: payloadName),
                    code: "too_large", message: "more than \(options.payloadBytes) bytes (limits.payload_bytes)")
            }
            out.insert(name.fileName)
            claims.yield(
                Claim(
                    name: name.fileName.text, payloadName: payloadName.text, group: name.group, bytes: bytes,
                    claimedAt: claimedAt))
        } catch let error where error.isMissing {
            // Someone has taken it away, or the folder that it was to go to.
            reopenIfLost(folders)
        } catch {
            backlog.rest()
            if claimTroubles.add(name.fileName.text, "\(error)") { log.warning("inbox: \(error)") }
        }
    }
}

extension PayloadFile {
    /// Where a claim's payload goes when it is rejected.
    init(_ claim: ClaimName, payloadName: FileName) {
        self.init(folder: claim.group.map { FileName($0.description) }, name: payloadName)
    }
}
