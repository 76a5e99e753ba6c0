extension Configuration {
    /// The names of the keys whose values differ from `old` and only take effect with a restart.
    package func changesNeedingRestart(from old: Configuration) -> [String] {
        ConfigurationKey.all.filter { !$0.isReloadable && $0.differs(self, old) }.map(\.name)
    }

    /// What is in effect after a reload of `new`: its values, but for those that need a restart, which stay.
    package func taking(reloadableFrom new: Configuration) -> Configuration {
        var configuration = new
        for key in ConfigurationKey.all where !key.isReloadable { key.copy(self, &configuration) }
        return configuration
    }
}
