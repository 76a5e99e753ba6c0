extension Configuration {
    /// What is wrong with the files that the values name and that must be there. Reads them, and blocks.
    func unusableFiles() -> [ConfigurationProblem] {
        guard let path = network.caFile, let trouble = CertificateFile(path: path).trouble() else { return [] }
        return [
            ConfigurationProblem(
                key: "network.ca_file",
                "\(path) \(trouble); it must be a file of certificates in PEM, or null for the system's")
        ]
    }
}
