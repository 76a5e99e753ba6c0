import Platform
import Testing

struct NearestNameTests {
    private let flags = ["--config", "--set", "--check-config", "--print-config", "--version", "--help"]

    @Test(
        "A slip of the finger is understood",
        arguments: [
            ("--confg", "--config"), ("--ocnfig", "--config"), ("--Config", "--config"), ("--configs", "--config"),
            ("--check-confgi", "--check-config"), ("--print", "--print-config"), ("--hlep", "--help"),
            ("--sets", "--set"),
        ])
    func near(written: String, meant: String) {
        #expect(nearestName(to: written, among: flags) == meant)
    }

    @Test("What is far from every name is not guessed at", arguments: ["", "x", "completely-else", "--parallelism"])
    func far(written: String) {
        #expect(nearestName(to: written, among: flags) == nil)
    }

    @Test("The nearest wins, and of equally near names the first")
    func order() {
        #expect(nearestName(to: "statsu", among: ["stats", "status"]) == "stats")
        #expect(nearestName(to: "lisst", among: ["last", "list"]) == "list")
        #expect(nearestName(to: "list", among: [String]()) == nil)
    }
}
