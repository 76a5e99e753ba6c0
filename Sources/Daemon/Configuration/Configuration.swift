package import Platform
package import Stories

/// Everything an operator may decide, checked and complete.
///
/// An immutable value, made by `load` and passed in; a reload makes another one. Paths are absolute and without
/// trailing slash. What each field means, its default and its range stand once, in the table `ConfigurationKey.all`.
package struct Configuration: Sendable, Equatable {
    package internal(set) var inbox: String
    package internal(set) var appGroupsRoot: String
    package internal(set) var appGroup: GroupID?
    package internal(set) var fallbackDirectory: String
    package internal(set) var stateDirectory: String
    package internal(set) var socket: String
    /// User ids.
    package internal(set) var socketWriters: [UInt32] = []
    package internal(set) var inboxRescan = Duration.seconds(60)
    package internal(set) var keepProcessed = false
    package internal(set) var storyDeadline = Duration.seconds(25)
    package internal(set) var logLevel = Log.Level.info
    package internal(set) var metricsTextfile: String?
    package internal(set) var network = Network()
    package internal(set) var limits = Limits()
    package internal(set) var cache = Cache()

    /// The defaults at these places.
    init(_ places: DefaultPlaces) {
        inbox = places.inbox
        appGroupsRoot = places.appGroupsRoot
        fallbackDirectory = places.fallbackDirectory
        stateDirectory = places.stateDirectory
        socket = places.socket
    }
}
