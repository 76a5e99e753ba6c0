package import MediaCache
package import Stories
extension Prefetcher {
    package func remove(_ key: StoryKey) async throws(CacheFailure) -> Bool { false }
}
