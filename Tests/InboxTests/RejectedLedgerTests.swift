import Platform
import Testing

@testable import Inbox

struct RejectedLedgerTests {
    private func entry(_ second: Int64, bytes: Int64 = 1) -> RejectedLedger.Entry {
        RejectedLedger.Entry(
            at: Timestamp(seconds: second), file: PayloadFile(folder: nil, name: FileName("\(second).json")),
            files: 2, bytes: bytes)
    }

    @Test("the oldest go when there are too many")
    func count() {
        var ledger = RejectedLedger([3, 1, 2].map { entry($0) }, limits: .init(files: 4))
        #expect(ledger.prune(at: Timestamp(seconds: 3)) == [entry(1)])
        ledger.add(entry(4))
        #expect(ledger.prune(at: Timestamp(seconds: 4)) == [entry(2)])
        #expect(ledger.files == 4)
        #expect(ledger.bytes == 2)
        #expect(ledger.prune(at: Timestamp(seconds: 4), roomFor: 1) == [entry(3)])
    }

    @Test("the oldest go when they are too large together")
    func bytes() {
        var ledger = RejectedLedger([], limits: .init(bytes: 10))
        for second in 1...4 { ledger.add(entry(Int64(second), bytes: 4)) }
        #expect(ledger.prune(at: Timestamp(seconds: 5)) == [entry(1, bytes: 4), entry(2, bytes: 4)])
        #expect(ledger.bytes == 8)
        #expect(ledger.prune(at: Timestamp(seconds: 5), roomFor: 1, bytes: 3) == [entry(3, bytes: 4)])
    }

    @Test("each goes after a week")
    func age() {
        let week: Int64 = 7 * 86_400
        var ledger = RejectedLedger([entry(0), entry(10)])
        #expect(ledger.prune(at: Timestamp(seconds: week)).isEmpty)
        #expect(ledger.prune(at: Timestamp(seconds: week + 1)) == [entry(0)])
        #expect(ledger.prune(at: Timestamp(seconds: week + 11)) == [entry(10)])
    }
}
