/// A step as `crash-daemon record` has written it down: with the inodes of its files and directories, and its bytes.
enum RecordedStep {
    case create(inode: UInt64, in: UInt64, String, isNew: Bool)
    case write([UInt8], to: UInt64, at: Int)
    case truncate(UInt64, to: Int)
    case synchronizeFile(UInt64)
    case synchronizeDirectory(UInt64)
    /// `found`: the file was not made by the daemon, and lay there with these bytes.
    case rename(in: UInt64, String, to: UInt64, String, found: (inode: UInt64, bytes: [UInt8])?)
    case remove(in: UInt64, String)
    case makeDirectory(inode: UInt64, in: UInt64, String)
    case removeDirectory(in: UInt64, String)
    /// Nothing that a model of the disk has to know of.
    case other

    /// Nil where that is no line of a record.
    init?(line: String) {
        let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        func inode(_ place: Int) -> UInt64? { words.count > place ? UInt64(words[place]) : nil }
        func number(_ place: Int) -> Int? { words.count > place ? Int(words[place]) : nil }
        switch (words[0], words.count) {
        case ("create", 5):
            guard let directory = inode(1), let made = inode(3) else { return nil }
            self = .create(inode: made, in: directory, words[2], isNew: words[4] == "new")
        case ("write", 4):
            guard let file = inode(1), let offset = number(2), let bytes = Self.bytes(words[3]) else { return nil }
            self = .write(bytes, to: file, at: offset)
        case ("truncate", 3):
            guard let file = inode(1), let size = number(2) else { return nil }
            self = .truncate(file, to: size)
        case ("synchronize-file", 2):
            guard let file = inode(1) else { return nil }
            self = .synchronizeFile(file)
        case ("synchronize-directory", 2):
            guard let directory = inode(1) else { return nil }
            self = .synchronizeDirectory(directory)
        case ("rename", 5), ("rename", 7):
            guard let from = inode(1), let to = inode(3) else { return nil }
            var found: (inode: UInt64, bytes: [UInt8])?
            if words.count == 7 {
                guard let file = inode(5), let bytes = Self.bytes(words[6]) else { return nil }
                found = (file, bytes)
            }
            self = .rename(in: from, words[2], to: to, words[4], found: found)
        case ("remove", 3):
            guard let directory = inode(1) else { return nil }
            self = .remove(in: directory, words[2])
        case ("make-directory", 4):
            guard let directory = inode(1), let made = inode(3) else { return nil }
            self = .makeDirectory(inode: made, in: directory, words[2])
        case ("remove-directory", 3):
            guard let directory = inode(1) else { return nil }
            self = .removeDirectory(in: directory, words[2])
        case ("commit", 1), ("change-attributes", 1), ("failed", 1):
            self = .other
        default:
            return nil
        }
    }

    /// Of hexadecimal digits.
    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { value(digits[$0]) << 4 | value(digits[$0 + 1]) }
    }

    private static func value(_ digit: UInt8) -> UInt8 {
        digit < UInt8(ascii: "a") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
    }
}
