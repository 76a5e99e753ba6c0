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
            trouble(folder.text, error)
        }
    }

    /// Calls `body` with each name in `directory` that is not hidden.
    private mutating func each(in directory: Directory, _ body: (inout InboxLoop, FileName) -> Void) {
        do throws(SystemError) {
            try directory.forEachName { text in
                let name = FileName(text)
                if !name.isHidden { body(&self, name) }
                return true
            }
        } catch {
            trouble(directory.path, error)
        }
    }

    /// Nil where it is gone, or cannot be told.
    private mutating func status(of name: FileName, in directory: Directory) -> FileStatus? {
        do throws(SystemError) {
            return try directory.status(of: name.text)
        } catch {
            trouble(directory.path, error)
            return nil
        }
    }

    private mutating func trouble(_ subject: String, _ error: SystemError) {
        if folderTroubles.add(subject, "\(error)") { log.warning("inbox: \(error)") }
    }
}

extension Candidate {
    /// Nil where that is no payload: another name, or no regular file.
    fileprivate init?(_ status: FileStatus, _ file: PayloadFile) {
        guard status.kind == .regular, file.name.isPayload else { return nil }
        self.init(modified: status.modified, file: file)
    }
}
