package import JSON

extension Configuration {
    /// The effective configuration: the defaults of this environment and user, over them the file, over it the
    /// overrides in their order. Reads the file and blocks while it does.
    ///
    /// - Parameter file: the file that must be there; nil reads the one at the default place if it is there.
    /// - Throws: all that is wrong, as far as it can be told at once.
    package static func load(
        file: String?, overrides: [ConfigurationOverride], environment: [String: String], userID: UInt32
    ) throws(ConfigurationError) -> Configuration {
        let places = DefaultPlaces(environment: environment, userID: userID)
        return Configuration(places)
    }

    /// As JSON in the order of the table. Secrets are masked: a proxy's user and password, the values of headers.
    package var json: JSONValue { .null }

    /// The names of the keys whose values differ from `old` and only take effect with a restart.
    package func changesNeedingRestart(from old: Configuration) -> [String] { [] }
}
