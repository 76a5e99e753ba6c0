import Platform
import Stories
import Testing

@testable import Inbox

struct ClaimNameTests {
    @Test("a claim's name gives back its moment, group and name", arguments: [nil, "group.com.example.app"])
    func roundTrip(_ group: String?) throws {
        let name = ClaimName(
            claimedAt: Timestamp(milliseconds: 1_767_323_045_678), count: 7, group: group.flatMap(GroupID.init),
            payloadName: FileName("a~b~.json"))
        #expect(name.fileName.text == "001767323045678-000000007~\(group ?? "")~a~b~.json")
        #expect(ClaimName(name.fileName) == name)
        #expect(name.payloadName.text == "a~b~.json")
    }

    @Test(
        "names that join with what stands around them come back as they were",
        arguments: ["\u{301}.json", "\u{600}.json"])
    func joined(_ payload: String) throws {
        let name = ClaimName(
            claimedAt: Timestamp(milliseconds: 1), count: 1, group: nil, payloadName: FileName(payload))
        #expect(name.payloadName == FileName(payload))
        #expect(ClaimName(name.fileName) == name)
    }

    @Test("a claim of the future is impossible, but for what a wrong clock explains")
    func future() throws {
        let now = Timestamp(seconds: 1_767_323_045)
        let claim = { (moment: String) in try #require(ClaimName(FileName("\(moment)-1~~a.json"))) }
        #expect(try claim("001767323045000").isPossible(at: now))
        #expect(try claim("001767323050000").isPossible(at: now))
        #expect(try !claim("999999999999999").isPossible(at: now))
        #expect(try !claim("9223372036854775807").isPossible(at: now))
    }

    @Test("claims sort by their moment, then by their count")
    func order() {
        let names = [(999, 2), (1000, 3), (1000, 20)].map { moment, count in
            ClaimName(
                claimedAt: Timestamp(milliseconds: Int64(moment)), count: count, group: nil,
                payloadName: FileName("x.json")
            ).fileName
        }
        #expect(names == names.sorted())
    }

    @Test("a long name is cut to fit, and keeps its ending")
    func long() throws {
        let group = try #require(GroupID(String(repeating: "g", count: 128)))
        let payload = FileName(String(repeating: "日", count: 83) + ".json")
        let name = ClaimName(claimedAt: Timestamp(milliseconds: 1), count: 1, group: group, payloadName: payload)
        #expect(name.fileName.text.utf8.count <= 255)
        #expect(name.fileName.text.utf8.count > 252)
        #expect(name.payloadName.isPayload)
        #expect(ClaimName(name.fileName) == name)
    }

    @Test("a clock before 1970 gives a name as well")
    func early() {
        let name = ClaimName(
            claimedAt: Timestamp(milliseconds: -5), count: 1, group: nil, payloadName: FileName("a.json"))
        #expect(ClaimName(name.fileName) == name)
    }

    @Test(
        "other names are no claims",
        arguments: [
            "a.json", "1-2~a.json", "1-2~bad group~a.json", "1-2~~", "x-2~~a.json", "1~~a.json", "-1~~a.json",
            "99999999999999999999-1~~a.json",
        ])
    func others(_ name: String) {
        #expect(ClaimName(FileName(name)) == nil)
    }
}
