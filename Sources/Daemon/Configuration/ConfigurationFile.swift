import Glibc
import JSON

/// The file that the configuration is read from.
struct ConfigurationFile {
    let path: String
    /// What may be done where it cannot be read.
    private let remedy: String

    /// Bytes; a configuration is a few hundred lines, and what is larger is another file by mistake.
    private static let largest = 1_048_576

    /// The file that was named, or else the one at the default place where something is there; nil without either.
    init?(named path: String?, _ places: DefaultPlaces) {
        let defaultPath = places.configurationFile
        self.path = path ?? defaultPath
        var remedy = "the configuration is a file of JSON5 that the daemon's user can read"
        if path == nil {
            // Often somebody else's, after su or sudo.
            let advice = places.configurationVariable.map {
                "It is looked for by \($0): set \($0) to a directory of this user's, or name"
            }
            remedy += ". \(advice ?? "Name") another file with --config FILE"
        }
        self.remedy = remedy
        // One that is there and may not be seen is no leave to go without it: reading it will say so.
        guard path != nil || access(defaultPath, F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno) else { return nil }
    }

    /// What a file says, and where.
    struct Content {
        let path: String
        let root: JSONObject
        let places: JSONMemberPlaces
    }

    /// What the file holds; blocks.
    func content() throws(ConfigurationProblem) -> Content {
        let (value, places): (JSONValue, JSONMemberPlaces)
        let bytes = try bytes()
        do {
            (value, places) = try JSONParser.parseNotingPlaces(bytes, dialect: .json5)
        } catch {
            throw ConfigurationProblem(source: path, error.message, line: error.line, column: error.column)
        }
        guard let root = value.objectValue else { throw problem("must hold one object: { key: value, … }") }
        return Content(path: path, root: root, places: places)
    }

    private func bytes() throws(ConfigurationProblem) -> [UInt8] {
        do throws(NamedFile.Trouble) {
            return try NamedFile(path: path, largest: Self.largest).bytes()
        } catch {
            throw problem("\(error.message); \(remedy)")
        }
    }

    private func problem(_ message: String) -> ConfigurationProblem {
        ConfigurationProblem(source: path, message)
    }
}
