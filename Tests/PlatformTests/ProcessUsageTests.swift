import Glibc
import Platform
import Testing

struct ProcessUsageTests {
    @Test func `a process knows its memory, its time and its descriptors`() async throws {
        let before = try #require(await ProcessUsage.now())
        #expect(before.residentBytes > 1 << 20 && before.residentBytes < 1 << 40)
        #expect(before.processorTime > .zero)
        #expect(before.openDescriptors >= 3 && before.openDescriptors <= before.maximumDescriptors)
        let open = try (0..<20).map { _ in try Directory.open("/") }
        let after = try #require(await ProcessUsage.now())
        #expect(after.openDescriptors == before.openDescriptors + open.count)
        #expect(after.processorTime >= before.processorTime)
    }
}
