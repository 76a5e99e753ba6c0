import JSON
import TestSupport
import Testing

/// The reason that lies beside a rejected payload; `name` is its path below `.rejected`.
func reason(_ place: DaemonPlace, _ name: String) throws -> (code: String, message: String) {
    let value = try JSONParser.parse(FileBytes.read("\(place.inbox)/.rejected/\(name).reason.json"))
    let reason = try #require(value.objectValue)
    #expect(try reason.string("at").hasSuffix("Z"))
    return (try reason.string("code"), try reason.string("message"))
}
