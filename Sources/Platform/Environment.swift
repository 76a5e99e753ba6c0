import CLinux

/// The process's environment. Nothing changes it once there are threads, so it is read when it is wanted.
package enum Environment {
    /// All variables whose name and value are UTF-8.
    package static var current: [String: String] {
        var variables: [String: String] = [:]
        // SAFETY: environ(7) is a list of NUL-terminated strings that ends in a NULL, and nothing changes it under a thread.
        var next = clinux_environment()
        while let entry = next?.pointee {
            if let text = String(validatingCString: entry) {
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            }
            next = next?.advanced(by: 1)
        }
        return variables
    }
}
