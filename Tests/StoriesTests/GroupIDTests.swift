import Stories
import Testing

struct GroupIDTests {
    @Test(
        "A group's name is letters, digits, dots, underscores and hyphens, and begins with a letter or digit",
        arguments: ["group.com.example.app", "a", "9", "A-b_c.d", String(repeating: "a", count: 128)])
    func good(_ text: String) {
        #expect(GroupID(text)?.description == text)
    }

    @Test(
        "What could leave its directory, hide or confuse is no group's name",
        arguments: ["", ".", "..", ".hidden", "-a", "_", "a/b", "a b", "é", "a\n", String(repeating: "a", count: 129)])
    func bad(_ text: String) {
        #expect(GroupID(text) == nil)
    }
}
