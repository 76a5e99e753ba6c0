import ControlAPI
import Foundation
import JSON
import Platform
import Stories
import TestSupport
import Testing

/// Holds all that lies in a group's container to what its readers may rely on. For a daemon that is idle or gone.
///
/// The manifests are valid by their schema; each object is named by its own content and held by a manifest; beside
/// manifests, objects and `latest.json` there is nothing, but what has come of pictures that pages still wait for, each
/// with its notes; no payload is left in the inbox.
func expectSound(_ place: DaemonPlace, group: String? = nil, _ location: SourceLocation = #_sourceLocation) async throws
{
    let cache = place.cache(group)
    let ids = try place.stories(group)
    let texts = try ids.map { id in try #require(try place.manifestBytes(id, group: group), sourceLocation: location) }
    let problems = try await SchemaValidator.problems(texts)
    #expect(problems == texts.map { _ in [] }, sourceLocation: location)
    var expected: Set<String> = []
    for (id, text) in zip(ids, texts) {
        let manifest = try Manifest(bytes: text)
        #expect(manifest.id.description == id, sourceLocation: location)
        #expect(manifest.group?.description == group, sourceLocation: location)
        expected.insert("stories/\(id)/manifest.json")
        expected.formUnion(manifest.pages.compactMap(\.state.image).map(\.file))
        if manifest.isPresentable { expected.insert("latest.json") }
    }
    expected.formUnion(try parts(cache, place, wantedBy: texts))
    #expect(try place.brokenPromises(in: cache) == [], sourceLocation: location)
    let files = try place.tree(cache).filter { try place.status("\(cache)/\($0)").kind != .directory }
    #expect(Set(files) == expected, sourceLocation: location)
    #expect(try place.inboxFiles() == [], sourceLocation: location)
    if let daemon = place.daemon, daemon.end == nil { try await expectModest(daemon, location) }
}

/// The parts of downloads that a page of one of these manifests waits for, and their notes.
private func parts(_ cache: String, _ place: DaemonPlace, wantedBy manifests: [[UInt8]]) throws -> [String] {
    var wanted: Set<String> = []
    for text in manifests {
        let pages = try #require(JSONParser.parse(text).objectValue).array("pages").compactMap(\.objectValue)
        for (page, state) in zip(pages, try Manifest(bytes: text).pages.map(\.state)) where state.isWanted {
            wanted.insert(try page.string("image_url"))
        }
    }
    return try place.names("\(cache)/.partial").filter { $0.hasSuffix(".notes") }.flatMap { name -> [String] in
        let notes = try #require(JSONParser.parse(FileBytes.read("\(cache)/.partial/\(name)")).objectValue)
        guard wanted.contains(try notes.string("key")) else { return [] }
        return [".partial/\(name)", ".partial/\(name.dropLast(".notes".count))"]
    }
}

/// Holds an idle daemon to the files that it had open when it was ready, and to little memory.
private func expectModest(_ daemon: DaemonProcess, _ location: SourceLocation) async throws {
    if let idle = daemon.openFilesWhenReady {
        try await daemon.wait("it has no more files open than when it was ready") { try daemon.openFiles() <= idle }
    }
    if !isSanitized { #expect(try daemon.peakMemory() < 64 << 20, sourceLocation: location) }
}

/// Whether this runs under ThreadSanitizer, which takes many times the memory for itself (`make test-tsan`).
var isSanitized: Bool { ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil }

/// How long to wait for what takes so long at most on a slow machine: under ThreadSanitizer it takes several times that.
func patience(_ time: Duration) -> Duration { isSanitized ? time * 3 : time }

/// The sum of the sizes of the files under `objects/` of a group's container, in bytes, and how many they are.
func objects(_ place: DaemonPlace, group: String? = nil) throws -> (count: Int, bytes: Int) {
    try place.objects(in: place.cache(group))
}
