import MediaCache
import Testing

/// Objects: how they come into the cache, how they are found, how damage is noticed.
@Suite struct ObjectTests {
    @Test func aDownloadIsFoundAgainByItsKey() async throws {
        let cache = try await CacheFixture()
        let object = try await cache.stored([1, 2, 3], key: "https://a/1")
        #expect(try await cache.storage.fresh("https://a/1", in: cache.provisioned, now: cache.now) == object)
        #expect(try await cache.storage.fresh("https://a/2", in: cache.provisioned, now: cache.now) == nil)
        let statistics = await cache.storage.statistics()
        #expect(statistics.objects == 1)
        #expect(statistics.bytes == 3)
        #expect(statistics.hits == 1)
        #expect(statistics.misses == 1)
    }
}
