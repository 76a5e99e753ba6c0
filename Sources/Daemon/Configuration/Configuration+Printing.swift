package import JSON

extension Configuration {
    /// As JSON in the order of the table. Secrets are masked: a proxy's user and password, the values of headers.
    package var json: JSONValue {
        var root = JSONObject()
        for key in ConfigurationKey.all {
            guard let section = key.section else {
                root[key.lastName] = key.json(self)
                continue
            }
            var inner = root[section]?.objectValue ?? [:]
            inner[key.lastName] = key.json(self)
            root[section] = .object(inner)
        }
        return .object(root)
    }
}
