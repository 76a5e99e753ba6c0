import Glibc
import Platform
import TestOrigins

// The origin of `make demo`: serves the files of a directory on a free loopback port, says where, and runs until killed.
// Usage: demo-origin DIRECTORY

guard CommandLine.arguments.count == 2 else {
    print("usage: demo-origin DIRECTORY")
    exit(2)
}
let directory = try Directory.open(CommandLine.arguments[1])
let origin = try ScriptedOrigin()
for name in try directory.names() {
    let picture = try directory.openFile(name, flags: O_RDONLY).readAll(limit: 1 << 20)
    origin.script("/\(name)", .ok(picture ?? []))
}
print(origin.url(""))
fflush(nil)
while true { pause() }
