import Glibc
import JSON
import Platform

/// The file that the configuration is read from.
struct ConfigurationFile {
    let path: String

    /// Bytes; a configuration is a few hundred lines, and what is larger is another file by mistake.
    private static let largest = 1_048_576

    /// The file that was named, or else the one at the default place where something is there; nil without either.
    init?(named path: String?, defaultPath: String) {
        guard let path = path ?? (access(defaultPath, F_OK) == 0 ? defaultPath : nil) else { return nil }
        self.path = path
    }

    /// What the file holds; blocks.
    func content() throws(ConfigurationProblem) -> JSONObject {
        let value: JSONValue
        let bytes = try bytes()
        do {
            value = try JSONParser.parse(bytes, dialect: .json5)
        } catch {
            throw ConfigurationProblem(source: path, error.message, line: error.line, column: error.column)
        }
        guard let object = value.objectValue else { throw problem("must hold one object: { key: value, … }") }
        return object
    }

    private func bytes() throws(ConfigurationProblem) -> [UInt8] {
        let kind: FileStatus.Kind
        let bytes: [UInt8]?
        do throws(SystemError) {
            // O_NONBLOCK: opening a FIFO must not wait for a writer.
            let raw = try checked("open", path: path) { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
            let file = Descriptor(owning: raw, path: path)
            kind = try file.status().kind
            bytes = kind == .regular ? try file.readAll(limit: Self.largest) : nil
        } catch {
            throw problem("cannot be read: \(String(cString: strerror(error.code)))")
        }
        switch (kind, bytes) {
        case (.directory, _): throw problem("is a directory; the configuration is a file of JSON5")
        case (.regular, let bytes?): return bytes
        case (.regular, nil): throw problem("is larger than \(Self.largest) bytes, which no configuration is")
        default: throw problem("is no regular file; the configuration is a file of JSON5")
        }
    }

    private func problem(_ message: String) -> ConfigurationProblem {
        ConfigurationProblem(source: path, message)
    }
}
