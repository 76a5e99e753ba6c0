/// Where things are when the configuration does not say: the system's places, or those of one user.
///
/// A pure function of the environment and the user id. A place that the environment does not tell is the empty
/// string, which `Configuration.load` refuses unless it is set.
struct DefaultPlaces: Sendable, Equatable {
    let inbox: String
    let appGroupsRoot: String
    let fallbackDirectory: String
    let stateDirectory: String
    let socket: String
    /// The file that is read, if it is there, when none is named.
    let configurationFile: String
    /// The variable that says where that file lies; nil where it is the system's.
    let configurationVariable: String?

    /// The system's places hold for root, and for a service of the system, which is known by a directory that systemd
    /// hands it (systemd.exec(5), `StateDirectory=`) and by having no `$XDG_RUNTIME_DIR`. The directories handed
    /// replace their roots in either case. A relative path in the environment counts as none, as the XDG Base
    /// Directory Specification asks.
    init(environment: [String: String], userID: UInt32) {
        func path(_ variable: String) -> String? {
            environment[variable].flatMap(normalizedPath)
        }
        /// The first of the directories that systemd lists in one variable.
        func handed(_ variable: String) -> String? {
            environment[variable]?.split(separator: ":").first.flatMap { normalizedPath(String($0)) }
        }
        let state = handed("STATE_DIRECTORY")
        let cache = handed("CACHE_DIRECTORY")
        let runtime = handed("RUNTIME_DIRECTORY")
        let isService = path("XDG_RUNTIME_DIR") == nil && (state ?? cache ?? runtime) != nil

        if userID == 0 || isService {
            let state = state ?? "/var/lib/storiesd"
            inbox = "\(state)/inbox"
            appGroupsRoot = "\(state)/groups"
            stateDirectory = "\(state)/state"
            fallbackDirectory = "\(cache ?? "/var/cache/storiesd")/tmp"
            socket = "\(runtime ?? "/run/storiesd")/storiesd.sock"
            configurationFile = "/etc/storiesd/storiesd.json5"
            configurationVariable = nil
            return
        }

        let home = path("HOME")
        /// The product's directory under an XDG root, which without its variable lies in the home directory.
        func directory(_ variable: String, _ inHome: String) -> String? {
            (path(variable) ?? home.map { "\($0)/\(inHome)" }).map { "\($0)/storiesd" }
        }
        func place(_ root: String?, _ name: String) -> String {
            root.flatMap { normalizedPath("\($0)/\(name)") } ?? ""
        }
        let userState = state ?? directory("XDG_STATE_HOME", ".local/state")
        inbox = place(userState, "inbox")
        stateDirectory = place(userState, "state")
        appGroupsRoot = place(directory("XDG_DATA_HOME", ".local/share"), "groups")
        fallbackDirectory = place(cache ?? directory("XDG_CACHE_HOME", ".cache"), "tmp")
        // pam_systemd(8) makes /run/user/UID and sets the variable; a session without it may still have the directory.
        socket = place(runtime ?? "\(path("XDG_RUNTIME_DIR") ?? "/run/user/\(userID)")/storiesd", "storiesd.sock")
        configurationVariable = path("XDG_CONFIG_HOME") == nil ? "HOME" : "XDG_CONFIG_HOME"
        configurationFile = place(directory("XDG_CONFIG_HOME", ".config"), "storiesd.json5")
    }
}
