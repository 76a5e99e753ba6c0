extension Log {
    /// What a line is about, for `journalctl NAME=VALUE`: only the journal keeps it, so the text says it as well. The
    /// modules whose words they are extend this, so that a call reads `log.info("…", .story(key))`.
    package struct Fields: Sendable {
        let values: [(name: String, value: String)]

        /// Names are of capital letters, digits and underscores, and begin with a letter, systemd.journal-fields(7).
        /// A field without a value is left out.
        package init(_ values: (name: String, value: String?)...) {
            self.values = values.compactMap { field in field.value.map { (field.name, $0) } }
        }
    }
}
