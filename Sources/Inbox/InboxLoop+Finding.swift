import Glibc
import Platform

// How files come to be known: events, and sweeps through the directories.
extension InboxLoop {
    mutating func takeEvents() {
        // Not all at once: a busy writer must not keep the loop from its work.
        for _ in 0..<16 {
            do throws(SystemError) {
                let events = try watches.read()
                if events.isEmpty { return }
                for event in events { take(event) }
            } catch {
                // Only a broken descriptor fails here, and then the sweeps still find all.
                log.error("inbox: \(error)")
                return
            }
        }
    }

    private mutating func take(_ event: Watches.Event) {
        switch event {
        case .lost:
            log.info("inbox: events were lost, all files are looked for")
            intake.wantSweep()
        case .inboxReplaced:
            if folders?.isAt(options.path) != true { openInbox(make: false) }
        case .folder(let name):
            watches.watchFolder(name)
            lookThroughFolder(name)
        case .unreadableName(let folder):
            // A sweep tells of it; once, since there may be many of them.
            if let root = folders?.root, !folderTroubles.isKnown(Self.subject(folder, in: root)) { intake.wantSweep() }
        case .payload(let file, let sighting): intake.notice(file, sighting)
        case .attributes(let file): intake.noticeAttributes(file)
        case .gone(let file): intake.forget(file)
        }
    }

    /// Opens the inbox that is at the path now. One that is gone is made again only where `make` says so: at once, it
    /// would be in the way of whoever has removed it in order to make another.
    mutating func openInbox(make: Bool) {
        let isThere = watches.watchInbox()
        if isThere || make {
            openFolders()
            if !isThere, folders != nil { _ = watches.watchInbox() }
        } else {
            lose("\(options.path) is gone; it is made again at the next rescan, or taken when someone makes it")
        }
        intake.wantSweep()
        backlog.wantSweep()
    }

    /// Something was not there that should be: the folders that a file was to go to may have been removed.
    mutating func reopenIfLost(_ folders: InboxFolders) {
        if !folders.areCurrent(options.path), folders.isAt(options.path) { openInbox(make: true) }
    }

    mutating func openFolders() {
        do throws(SystemError) {
            folders = try InboxFolders(options)
            missing = nil
            unwritable = nil
        } catch {
            lose("\(error)")
        }
    }

    private mutating func lose(_ message: String) {
        if missing == nil { log.warning("inbox: \(message)") }
        folders = nil
        missing = message
    }

    /// One pass of the sweep through the inbox and its folders. A folder is watched before its names are read, so that
    /// nothing comes between.
    mutating func lookThroughInbox(_ folders: InboxFolders) {
        var pass = intake.beginPass()
        folderTroubles.beginSweep()
        watches.beginSweep()
        each(in: folders.root) { loop, name in
            guard let status = loop.status(of: name, in: folders.root) else { return }
            if status.kind == .directory {
                loop.watches.watchFolder(name)
                loop.eachFile(in: name, of: folders.root) { pass.add($0) }
            } else if let candidate = Candidate(status, PayloadFile(folder: nil, name: name)) {
                pass.add(candidate)
            }
        }
        intake.end(pass)
    }

    /// A folder that has just appeared.
    private mutating func lookThroughFolder(_ name: FileName) {
        guard let folders else { return }
        // What was wrong with it is met again if it still is.
        folderTroubles.forget(Self.subject(name, in: folders.root))
        var found = Sweep<Candidate>(limit: Self.stepsPerTurn)
        var pass = found.beginPass()
        eachFile(in: name, of: folders.root) { pass.add($0) }
        for candidate in found.end(pass) { intake.notice(candidate.file, .found) }
        if found.isUnderWay { intake.wantSweep() }
    }

    /// One pass of the sweep through `.claimed`.
    mutating func lookThroughClaims(_ folders: InboxFolders) {
        let isFirst = backlog.isFirstSweep
        var pass = backlog.beginPass()
        claimTroubles.beginSweep()
        each(in: folders.claimed) { loop, name in
            if ClaimName(name) == nil {
                if isFirst { loop.log.warning("inbox: \(folders.claimed.subpath(name.text)) is no claim: left alone") }
            } else if !loop.out.contains(name) {
                pass.add(name)
            }
        }
        backlog.end(pass)
    }

    private mutating func eachFile(in folder: FileName, of root: Directory, _ body: (Candidate) -> Void) {
        do throws(SystemError) {
            let directory = try root.directory(folder.text)
            each(in: directory) { loop, name in
                guard let status = loop.status(of: name, in: directory) else { return }
                if let candidate = Candidate(status, PayloadFile(folder: folder, name: name)) { body(candidate) }
            }
        } catch let error where error.isMissing || error.code == ENOTDIR || error.code == ELOOP {
            // Gone again, or a link: no folder of the inbox.
        } catch {
            // Without its status it is told as well.
            let status = try? root.status(of: folder.text)
            trouble(Self.subject(folder, in: root), status, error)
        }
    }

    /// Calls `body` with each name in `directory` that is not ignored, and tells of payloads and folders whose names
    /// cannot be read.
    private mutating func each(
        in directory: Directory, _ body: (inout InboxLoop, FileName) -> Void
    ) {
        let subject = directory.path
        var (unreadable, example) = (0, "")
        do throws(SystemError) {
            try directory.forEachName { escaped, isDirectory in
                let name = FileName(escaped)
                guard name.isPayload || isDirectory && !name.isIgnored else { return }
                unreadable += 1
                if unreadable == 1 { example = escaped }
            } _: { text in
                let name = FileName(text)
                if !name.isIgnored { body(&self, name) }
                return true
            }
        } catch {
            trouble(subject, nil, error)
        }
        guard unreadable > 0 else { return }
        let names = unreadable == 1 ? "the name \"\(example)\"" : "\(unreadable) names, one of them \"\(example)\","
        tell(subject, "\(subject): \(names) cannot be taken, being no UTF-8; rename what has it")
    }

    /// Nil where it is gone, or cannot be told.
    private mutating func status(of name: FileName, in directory: Directory) -> FileStatus? {
        do throws(SystemError) {
            return try directory.status(of: name.text)
        } catch {
            // Without its status it is told as well.
            trouble(directory.path, try? directory.descriptor.status(), error)
            return nil
        }
    }

    /// What troubles of `folder`, or of the inbox itself, are kept under.
    private static func subject(_ folder: FileName?, in root: Directory) -> String {
        folder.map { root.subpath($0.text) } ?? root.path
    }

    private mutating func trouble(_ subject: String, _ status: FileStatus?, _ error: SystemError) {
        let remedy =
            switch error.code {
            case EACCES, EPERM: "let the daemon's user read, write and search the folder, by mode or by an ACL"
            default: "it is tried again at each rescan"
            }
        tell(subject, "\(subject): \(ownership(status))\(error); \(remedy)")
    }

    private mutating func tell(_ subject: String, _ message: String) {
        if folderTroubles.add(subject, message) { log.warning("inbox: \(message)") }
    }
}

extension Candidate {
    /// Nil where that is no payload: another name, or no regular file.
    fileprivate init?(_ status: FileStatus, _ file: PayloadFile) {
        guard status.kind == .regular, file.name.isPayload else { return nil }
        self.init(modified: status.modified, file: file)
    }
}
