import Platform
import Stories

// What becomes of claims when they are answered.
extension InboxLoop {
    mutating func accept(_ claim: Claim) {
        let name = FileName(claim.name)
        guard out.remove(name) != nil else { return }
        statistics.accepted += 1
        guard let folders else { return }
        do throws(SystemError) {
            if let processed = folders.processed {
                try keep(name, FileName(claim.payloadName), folders.claimed, processed)
            } else {
                try folders.claimed.remove(name.text)
            }
            unwritable = nil
        } catch let error where error.isMissing {
            // Gone already: as it should be.
            unwritable = nil
        } catch {
            // Its story is safe; offered again, it will be the same story.
            backlog.rest()
            stays(error)
        }
    }

    /// Moves an accepted payload to `.processed`. Of many of one name, those after the first few get names that need
    /// no search.
    private func keep(
        _ name: FileName, _ payloadName: FileName, _ claimed: Directory, _ processed: Directory
    ) throws(SystemError) {
        for number in 1...16 {
            if try claimed.renameNew(name.text, to: payloadName.numbered(number).text, in: processed) { return }
        }
        if try claimed.renameNew(name.text, to: "\(name).json", in: processed) { return }
        try claimed.rename(name.text, to: name.text, in: processed)
    }

    mutating func reject(_ claim: Claim, code: String, message: String) {
        let name = FileName(claim.name)
        guard out.remove(name) != nil, let folders else { return }
        let file = PayloadFile(
            folder: claim.group.map { FileName($0.description) }, name: FileName(claim.payloadName))
        do throws(SystemError) {
            try moveToRejected(name, from: folders.claimed, as: file, code: code, message: message)
            unwritable = nil
        } catch {
            stays(error)
            backlog.putBack(at: SuspendingClock().now)
            reopenIfLost(folders)
        }
    }

    /// An answered claim could not be taken away.
    private mutating func stays(_ error: SystemError) {
        if unwritable == nil { log.error("inbox: an answered payload stays: \(error)") }
        unwritable = error.description
    }

    mutating func putBack(_ claim: Claim) {
        guard out.remove(FileName(claim.name)) != nil else { return }
        backlog.putBack(at: SuspendingClock().now)
    }
}
