import Platform
import Stories

/// The name of a claimed payload, `MOMENT-COUNT~GROUP~NAME`: it sorts by the moment of the claim, and a restart finds
/// group and original name in it again. GROUP is empty for a payload without one; no group's name holds a `~`.
struct ClaimName: Equatable {
    let fileName: FileName
    let claimedAt: Timestamp
    let group: GroupID?
    /// The name as it was dropped, cut where the whole would have been too long.
    let payloadName: FileName

    /// A new claim's name.
    init(claimedAt: Timestamp, count: Int, group: GroupID?, payloadName: FileName) {
        let moment = Timestamp(milliseconds: max(0, claimedAt.milliseconds))
        let unique = "\(Self.padded(moment.milliseconds, 15))-\(Self.padded(Int64(count), 9))"
        let start = "\(unique)~\(group?.description ?? "")~"
        self.claimedAt = moment
        self.group = group
        self.payloadName = payloadName.numbered(1, limit: FileName.longest - start.utf8.count)
        fileName = FileName(start + self.payloadName.text)
    }

    /// The claim that `fileName` stands for; nil where it is no claim's name.
    init?(_ fileName: FileName) {
        // By bytes: a payload's name may begin with a mark that would make one character with the `~`.
        let parts = fileName.text.utf8.split(
            separator: UInt8(ascii: "~"), maxSplits: 2, omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard parts.count == 3, !parts[2].isEmpty else { return nil }
        let numbers = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2,
            numbers.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let moment = Int64(numbers[0])
        else { return nil }
        group = GroupID(String(parts[1]))
        guard group != nil || parts[1].isEmpty else { return nil }
        self.fileName = fileName
        claimedAt = Timestamp(milliseconds: moment)
        payloadName = FileName(String(parts[2]))
    }

    /// Whether the claim can have been made by `now`; a clock that was wrong by up to a day may have dated it.
    func isPossible(at now: Timestamp) -> Bool {
        claimedAt < now.advanced(bySeconds: 86_400)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
