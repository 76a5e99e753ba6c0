/// The release that both programs belong to.
package enum ProductVersion {
    /// Semantic version, as `--version` and the User-Agent say it.
    package static let current = "0.1.0"
}
