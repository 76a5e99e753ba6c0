import Platform

extension DiskStep {
    /// For people.
    var description: String {
        switch self {
        case .create(let name, in: _): "create \(name)"
        case .write(let bytes, to: _, at: _): "write \(bytes.count) bytes"
        case .truncate(_, to: let size): "truncate to \(size) bytes"
        case .changeAttributes: "change attributes"
        case .synchronizeFile: "fsync a file"
        case .synchronizeDirectory: "fsync a directory"
        case .rename(let name, in: _, to: let newName, within: _): "rename \(name) to \(newName)"
        case .remove(let name, in: _): "remove \(name)"
        case .makeDirectory(let name, in: _): "make the directory \(name)"
        case .removeDirectory(let name, in: _): "remove the directory \(name)"
        case .commit: "commit"
        }
    }
}
