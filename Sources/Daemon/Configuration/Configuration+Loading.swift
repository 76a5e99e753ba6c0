import JSON

extension Configuration {
    /// The effective configuration: the defaults of this environment and user, over them the file, over it the
    /// overrides in their order. Reads the file, and those that it names, and blocks while it does.
    ///
    /// - Parameter file: the file that must be there; nil reads the one at the default place if it is there.
    /// - Throws: all that is wrong, as far as it can be told at once.
    package static func load(
        file: String?, overrides: [ConfigurationOverride], environment: [String: String], userID: UInt32
    ) throws(ConfigurationError) -> Configuration {
        let places = DefaultPlaces(environment: environment, userID: userID)
        var reader = ConfigurationReader(Configuration(places))
        if let file = ConfigurationFile(named: file, places) {
            do {
                reader.read(try file.content())
            } catch {
                throw ConfigurationError(problems: [error])
            }
        }
        for override in overrides { reader.read(override) }
        return try reader.finish()
    }
}
