package import Hashing
package import Platform

/// How far the reading of all objects has come, so that a restart does not begin at the start for ever. A plain value.
package struct ScrubMemory: Sendable, Equatable, LosslessStringConvertible {
    package enum Progress: Sendable, Equatable {
        /// All contents up to this one, in their order, were read; nil: none yet.
        case upTo(ContentID?)
        case done
    }

    /// When the pass began, by the time that was believed.
    package let began: Timestamp
    package var progress: Progress

    package init(began: Timestamp, progress: Progress = .upTo(nil)) {
        self.began = began
        self.progress = progress
    }

    /// Reads what `description` wrote; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let began = Timestamp(parts[0]) else { return nil }
        self.began = began
        switch parts[1] {
        case Self.none: progress = .upTo(nil)
        case Self.all: progress = .done
        default:
            guard let content = ContentID(hex: parts[1]) else { return nil }
            progress = .upTo(content)
        }
    }

    private static let none = String(repeating: "-", count: 32)
    private static let all = String(repeating: "=", count: 32)

    package var description: String {
        let word =
            switch progress {
            case .upTo(let content): content?.hex ?? Self.none
            case .done: Self.all
            }
        return "\(began) \(word)"
    }
}
