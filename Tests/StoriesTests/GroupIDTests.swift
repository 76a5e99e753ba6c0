import Stories
import Testing

struct GroupIDTests {
    @Test(arguments: ["group.com.example.app", "a", "9", "A-b_c.d", String(repeating: "a", count: 128)])
    func `a group's name begins with a letter or digit; dots, underscores and hyphens may follow`(_ text: String) {
        #expect(GroupID(text)?.description == text)
    }

    @Test(arguments: [
        "", ".", "..", ".hidden", "-a", "_", "a/b", "a b", "é", "a\n", String(repeating: "a", count: 129),
    ])
    func `what could leave its directory, hide or confuse is no group's name`(_ text: String) {
        #expect(GroupID(text) == nil)
    }
}
