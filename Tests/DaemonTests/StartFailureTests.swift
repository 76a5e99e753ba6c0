import ControlServer
import Glibc
import Platform
import Testing

@testable import Daemon

struct StartFailureTests {
    private let error = ListeningSocketError.noDirectory(
        path: "/run/user/1000/storiesd/storiesd.sock",
        SystemError("mkdir", path: "/run/user", code: EACCES))

    @Test func `a user without a runtime directory is told the socket, what is missing, and the remedy`() {
        let text = StartFailure(socket: error, environment: [:], user: 1000).description
        #expect(
            text == "socket /run/user/1000/storiesd/storiesd.sock: its directory cannot be had: mkdir /run/user: "
                + "Permission denied. Make it for the daemon's user (1000), or set XDG_RUNTIME_DIR, or choose another "
                + "place with --set socket=PATH")
    }

    @Test func `the variable is no remedy for who has it, nor for root`() {
        for (environment, user) in [(["XDG_RUNTIME_DIR": "/run/user/1000"], UInt32(1000)), ([:], 0)] {
            let text = StartFailure(socket: error, environment: environment, user: user).description
            #expect(!text.contains("XDG_RUNTIME_DIR"))
            #expect(text.hasSuffix("choose another place with --set socket=PATH"))
        }
    }

    @Test func `other errors of the socket have their own remedy`() {
        let error = ListeningSocketError.inUse(path: "/s")
        #expect(StartFailure(socket: error, environment: [:], user: 1000).description == error.description)
    }
}
