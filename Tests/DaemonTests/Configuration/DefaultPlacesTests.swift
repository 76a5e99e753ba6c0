import Testing

@testable import Daemon

struct DefaultPlacesTests {
    private let user: UInt32 = 1000
    private let root: UInt32 = 0

    @Test("Root has the system's places")
    func system() {
        let places = DefaultPlaces(environment: ["HOME": "/root", "XDG_RUNTIME_DIR": "/run/user/0"], userID: root)
        #expect(places.inbox == "/var/lib/storiesd/inbox")
        #expect(places.appGroupsRoot == "/var/lib/storiesd/groups")
        #expect(places.fallbackDirectory == "/var/cache/storiesd/tmp")
        #expect(places.stateDirectory == "/var/lib/storiesd/state")
        #expect(places.socket == "/run/storiesd/storiesd.sock")
        #expect(places.configurationFile == "/etc/storiesd/storiesd.json5")
    }

    @Test("A service of the system is known by what systemd hands it, the first directory of each list")
    func service() {
        let environment = [
            "HOME": "/home/storiesd", "STATE_DIRECTORY": "/var/lib/one:/var/lib/two",
            "CACHE_DIRECTORY": "/var/cache/one/",
        ]
        let places = DefaultPlaces(environment: environment, userID: user)
        #expect(places.inbox == "/var/lib/one/inbox")
        #expect(places.appGroupsRoot == "/var/lib/one/groups")
        #expect(places.stateDirectory == "/var/lib/one/state")
        #expect(places.fallbackDirectory == "/var/cache/one/tmp")
        #expect(places.socket == "/run/storiesd/storiesd.sock")
        #expect(places.configurationFile == "/etc/storiesd/storiesd.json5")
    }

    @Test("The handed directories replace root's too")
    func rootService() {
        let environment = ["STATE_DIRECTORY": "/s", "CACHE_DIRECTORY": "/c", "RUNTIME_DIRECTORY": "/r"]
        let places = DefaultPlaces(environment: environment, userID: root)
        #expect(places.stateDirectory == "/s/state")
        #expect(places.fallbackDirectory == "/c/tmp")
        #expect(places.socket == "/r/storiesd.sock")
    }

    @Test("A user has the XDG directories")
    func xdg() {
        let environment = [
            "HOME": "/home/joe", "XDG_STATE_HOME": "/x/state", "XDG_DATA_HOME": "/x/data", "XDG_CACHE_HOME": "/x/cache",
            "XDG_CONFIG_HOME": "/x/config", "XDG_RUNTIME_DIR": "/x/run",
        ]
        let places = DefaultPlaces(environment: environment, userID: user)
        #expect(places.inbox == "/x/state/storiesd/inbox")
        #expect(places.appGroupsRoot == "/x/data/storiesd/groups")
        #expect(places.fallbackDirectory == "/x/cache/storiesd/tmp")
        #expect(places.stateDirectory == "/x/state/storiesd/state")
        #expect(places.socket == "/x/run/storiesd/storiesd.sock")
        #expect(places.configurationFile == "/x/config/storiesd/storiesd.json5")
    }

    @Test("Unset and relative XDG variables fall back to the home directory", arguments: [nil, "", "relative/path"])
    func fallBack(value: String?) {
        var environment = ["HOME": "/home/joe"]
        for root in ["STATE_HOME", "DATA_HOME", "CACHE_HOME", "CONFIG_HOME", "RUNTIME_DIR"] {
            environment["XDG_\(root)"] = value
        }
        let places = DefaultPlaces(environment: environment, userID: user)
        #expect(places.inbox == "/home/joe/.local/state/storiesd/inbox")
        #expect(places.appGroupsRoot == "/home/joe/.local/share/storiesd/groups")
        #expect(places.fallbackDirectory == "/home/joe/.cache/storiesd/tmp")
        #expect(places.stateDirectory == "/home/joe/.local/state/storiesd/state")
        #expect(places.socket == "/run/user/1000/storiesd/storiesd.sock")
        #expect(places.configurationFile == "/home/joe/.config/storiesd/storiesd.json5")
    }

    @Test("A service of a user has its handed directories, and the rest from XDG")
    func userService() {
        let environment = [
            "HOME": "/home/joe", "XDG_RUNTIME_DIR": "/run/user/1000", "STATE_DIRECTORY": "/home/joe/.local/state/own",
        ]
        let places = DefaultPlaces(environment: environment, userID: user)
        #expect(places.inbox == "/home/joe/.local/state/own/inbox")
        #expect(places.fallbackDirectory == "/home/joe/.cache/storiesd/tmp")
        #expect(places.socket == "/run/user/1000/storiesd/storiesd.sock")
    }

    @Test("Of several directories in one variable the first is taken, whichever variable it is")
    func lists() {
        let environment = ["STATE_DIRECTORY": "/s1:/s2", "CACHE_DIRECTORY": "/c1:/c2", "RUNTIME_DIRECTORY": "/r1:/r2"]
        let places = DefaultPlaces(environment: environment, userID: user)
        #expect(places.inbox == "/s1/inbox" && places.appGroupsRoot == "/s1/groups")
        #expect(places.stateDirectory == "/s1/state")
        #expect(places.fallbackDirectory == "/c1/tmp")
        #expect(places.socket == "/r1/storiesd.sock")
    }

    @Test(
        "An empty or relative directory of systemd's is none, and makes no service", arguments: ["", ":", "relative"])
    func noService(value: String) {
        let handed = ["STATE_DIRECTORY": value, "CACHE_DIRECTORY": value, "RUNTIME_DIRECTORY": value]
        let home = ["HOME": "/home/joe"]
        #expect(
            DefaultPlaces(environment: home.merging(handed) { $1 }, userID: user)
                == DefaultPlaces(environment: home, userID: user))
        #expect(DefaultPlaces(environment: handed, userID: root) == DefaultPlaces(environment: [:], userID: root))
    }

    @Test("Each directory of systemd's makes a service of the system", arguments: ["STATE", "CACHE", "RUNTIME"])
    func anyOfThem(name: String) {
        let places = DefaultPlaces(environment: ["HOME": "/home/joe", "\(name)_DIRECTORY": "/handed"], userID: user)
        #expect(places.stateDirectory == (name == "STATE" ? "/handed/state" : "/var/lib/storiesd/state"))
        #expect(places.fallbackDirectory == (name == "CACHE" ? "/handed/tmp" : "/var/cache/storiesd/tmp"))
        #expect(places.socket == (name == "RUNTIME" ? "/handed/storiesd.sock" : "/run/storiesd/storiesd.sock"))
        #expect(places.configurationFile == "/etc/storiesd/storiesd.json5")
    }
}
