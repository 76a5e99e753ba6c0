import JSON
import Platform
import Stories

/// A manifest of each kind: each state of a story and of a page, with and without what may be absent.
enum ManifestKinds {
    static func all() throws -> [(name: String, manifest: Manifest)] {
        let group = GroupID("group.com.example.app")
        var kinds: [(String, Manifest)] = []
        for name in [
            "docs-request", "device-u-string", "device-u-object", "root-block", "userdata", "thai-russian-bengali",
            "mixed-bad-pages", "no-block", "empty-pages", "root-bad-wins", "broken-u",
        ] {
            kinds.append((name, firstManifest(try story(sample(name)), group: group)))
        }
        let four = try story(sample("thai-russian-bengali"))
        let passing = PageError(
            .httpStatus, "The origin answered 503.", httpStatus: 503, retryAt: someTime.advanced(bySeconds: 1.5))
        let settings: [(String, settled: Bool, states: [PageState])] = [
            ("landing", false, [.cached(image("a")), .pending(), .pending(after: passing), .failed(passing)]),
            (
                "ready", true,
                [
                    .cached(image("a")), .cached(image("b", source: .cache)),
                    .cached(image("c", source: .revalidated)), .cached(image("d", source: .stale)),
                ]
            ),
            (
                "partial", true,
                [.failed(PageError(.dns, "")), .cached(image("a")), .pending(after: passing), .pending()]
            ),
            ("failed", true, Array(repeating: .failed(PageError(.notImage, "HTML")), count: 4)),
            ("late", true, Array(repeating: .pending(), count: 4)),
        ]
        for (name, settled, states) in settings {
            kinds.append((name, manifest(four, settled: settled, states: states)))
        }
        for code in PageError.Code.allCases {
            kinds.append((code.rawValue, manifest(four, settled: true, states: [.failed(PageError(code, "why"))])))
        }
        kinds.append(("group fallback", firstManifest(four, group: group, groupFallback: true)))
        return kinds
    }

    /// A manifest whose pages have come to these states; those beyond them are pending.
    static func manifest(_ story: Story, settled: Bool, states: [PageState]) -> Manifest {
        var manifest = firstManifest(story)
        manifest.settled = settled
        manifest.revision = 7
        manifest.updatedAt = someTime.advanced(bySeconds: 12)
        for (index, state) in states.enumerated() {
            manifest.pages[index].state = state
            manifest.pages[index].attempts = index
        }
        return manifest
    }
}
