import Foundation

/// A load of stories: so many payloads, each with so many pages, each page with a picture of its own that an nginx
/// serves. The same numbers make the same bytes.
package struct StoryLoad: Sendable {
    package let stories: Int
    package let pages: Int
    /// Bytes of each picture, in the order of stories and pages.
    package let sizes: [Int]
    private let origin: NginxOrigin

    /// Writes the pictures, of 8 to 300 KB, where `origin` serves them.
    package init(stories: Int, pages: Int, origin: NginxOrigin, sizes range: ClosedRange<Int> = 8_000...300_000) throws
    {
        self.stories = stories
        self.pages = pages
        self.origin = origin
        var generator = SystemIndependentGenerator(seed: UInt64(stories * 1_000 + pages))
        sizes = (0..<stories * pages).map { _ in Int.random(in: range, using: &generator) }
        // What follows the end of a JPEG is part of the file and of no picture: cheap bytes, copied.
        let tail = [UInt8](repeating: 0x55, count: range.upperBound)
        for (number, size) in sizes.enumerated() {
            let picture = SampleImages.jpeg(seed: number)
            try origin.serve(picture + tail[..<max(0, size - picture.count)], at: Self.path(number))
        }
    }

    /// The name of a story, which is its notification's `p`.
    package func id(_ story: Int) -> String { "load-\(story)" }

    /// All names, sorted.
    package var ids: [String] { (0..<stories).map(id).sorted() }

    /// Drops all payloads into the inbox, one after the other.
    package func drop(into place: DaemonPlace) throws {
        for story in 0..<stories { try place.drop("\(id(story)).json", payload(story)) }
    }

    /// The addresses of all pictures, in the order of stories and pages.
    package var urls: [String] { sizes.indices.map { origin.url(Self.path($0)) } }

    /// The payload of a story, as a device gets it; under another name where one is given.
    package func payload(_ story: Int, id: String? = nil) -> [UInt8] {
        let images = (0..<pages).map { origin.url(path(story, page: $0)) }
        let list = images.map { #"{"image": "\#($0)"}"# }.joined(separator: ", ")
        return Array(
            #"{"aps": {"alert": "Load"}, "p": "\#(id ?? self.id(story))", "u": {"pw_stories": {"pages": [\#(list)]}}}"#
                .utf8)
    }

    /// Where a page's picture is at the origin.
    package func path(_ story: Int, page: Int) -> String { Self.path(story * pages + page) }

    private static func path(_ number: Int) -> String { "/load/\(number).jpg" }
}

/// SplitMix64: the same numbers on every machine and in every run.
private struct SystemIndependentGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
