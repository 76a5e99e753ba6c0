import Hashing
import Platform
import Stories

// What a reader of the containers may rely on at any moment, whatever the daemon is at.
extension DaemonPlace {
    /// The `pw_stories_cache` of each container that has one, provisioned or not.
    package func caches() throws -> [String] {
        try [groups, fallbackDirectory].flatMap { root in
            try names(root).map { "\(root)/\($0)/\(ContainerLayout.cache)" }.filter { try !names($0).isEmpty }
        }
    }

    /// Of a `pw_stories_cache`: manifests that cannot be read, pictures that manifests call cached and that are not
    /// there, and objects whose bytes are not those that they are named by.
    package func brokenPromises(in cache: String) throws -> [String] {
        try brokenManifests(in: cache) + brokenObjects(in: cache)
    }

    private func brokenObjects(in cache: String) throws -> [String] {
        let folder = "\(cache)/\(ContainerLayout.objects)"
        return try tree(folder).filter { file in
            // One may go while it is looked at; what cannot be read is a directory.
            guard let bytes = try? FileBytes.read("\(folder)/\(file)") else { return false }
            return !file.contains("/\(ContentID.of(bytes).hex).")
        }.map { "\(folder)/\($0) has not the bytes that it is named by" }
    }

    private func brokenManifests(in cache: String) throws -> [String] {
        var broken: [String] = []
        for id in try names("\(cache)/stories") {
            let path = "\(cache)/\(ContainerLayout.stories)/\(id)/\(ContainerLayout.manifest)"
            guard try names("\(cache)/\(ContainerLayout.stories)/\(id)").contains(ContainerLayout.manifest) else {
                continue
            }
            guard let manifest = try? Manifest(bytes: FileBytes.read(path)) else {
                broken.append("\(path) is no manifest")
                continue
            }
            for image in manifest.pages.compactMap(\.state.image) {
                let bytes = try? FileBytes.read("\(cache)/\(image.file)")
                if bytes?.count != image.bytes || bytes.map(ContentID.of) != image.contentID {
                    let state = bytes.map { "has \($0.count) bytes, of \(image.bytes), or others" } ?? "is not there"
                    broken.append("\(path) calls \(image.file) cached, which \(state)")
                }
            }
        }
        return broken
    }

    /// The sum of the sizes of the files under `objects/` of a `pw_stories_cache`, in bytes, and how many they are.
    package func objects(in cache: String) throws -> (count: Int, bytes: Int) {
        let folder = "\(cache)/\(ContainerLayout.objects)"
        // One may go while it is looked at.
        let sizes = try tree(folder).compactMap { try? status("\(folder)/\($0)") }
            .filter { $0.kind == .regular }.map { Int($0.size) }
        return (sizes.count, sizes.reduce(0, +))
    }
}
