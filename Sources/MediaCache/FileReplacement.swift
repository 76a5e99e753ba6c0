import Hashing
import Platform
import Stories

/// The change that gives a container's `latest.json`, or a story's manifest, other bytes.
final class FileReplacement: DurableChange {
    enum File {
        /// With what it holds from then on.
        case manifest(of: StoryID, pins: Set<ContentID>)
        /// As decided; nothing is written where a newer decision has come.
        case latest(decision: Int)
    }

    let container: Container
    private let file: File
    private let content: [UInt8]
    private var folder: Directory?
    private var written: AtomicFile.Replacement?
    private var news: [Synchronizer.Target] = []
    /// What the manifest before held and this one does not.
    private(set) var released: Set<ContentID> = []

    init(of file: File, by content: [UInt8], in container: Container) {
        self.file = file
        self.content = content
        self.container = container
    }

    var bytes: Int64 { Int64(content.count) }

    func write(_ storage: isolated CacheStorage) throws(CacheFailure) -> [Synchronizer.Target] {
        if case .latest(let decision) = file, storage.latestDecisions[container] != decision { return [] }
        let directory = try ContainerDirectory.make(container, storage.options)
        return try classified { () throws(SystemError) in
            folder =
                switch file {
                case .manifest(of: let story, pins: _): try directory.story(story, &news)
                case .latest: directory.root
                }
            let written = try AtomicFile.prepare(
                content, temporaries: directory.partials(), mode: ContainerDirectory.fileMode, group: directory.group)
            self.written = written
            return [.file(written.file)]
        }
    }

    func name(_ storage: isolated CacheStorage) throws(CacheFailure) -> [Synchronizer.Target] {
        guard let written, let folder else { return [] }
        let name =
            switch file {
            case .manifest: ContainerLayout.manifest
            case .latest: ContainerLayout.latest
            }
        try classified { () throws(SystemError) in try written.place(as: name, in: folder) }
        self.written = nil
        return news + [.directory(folder)]
    }

    func finish(_ storage: isolated CacheStorage) {
        guard case .manifest(let story, let pins) = file else { return }
        storage.index.use(orElse: ()) { index throws(DatabaseError) in
            try index.transaction { () throws(DatabaseError) in
                released = Set(try index.pins(of: story, in: container)).subtracting(pins)
                try index.setPins(pins, of: story, in: container)
            }
        }
    }

    func abandon() {
        written?.abandon()
    }
}
