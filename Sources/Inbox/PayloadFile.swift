/// Where a payload waits: its name, in the inbox itself or in one of its folders.
struct PayloadFile: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Nil for the inbox itself.
    let folder: FileName?
    let name: FileName

    /// Relative to the inbox, for messages.
    var description: String {
        folder.map { "\($0)/\(name)" } ?? name.text
    }

    static func < (left: PayloadFile, right: PayloadFile) -> Bool {
        if left.name != right.name { return left.name < right.name }
        switch (left.folder, right.folder) {
        case (nil, let folder): return folder != nil
        case (_, nil): return false
        case (let left?, let right?): return left < right
        }
    }
}
