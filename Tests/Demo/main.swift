import Foundation
import TestSupport

// The origin of `make demo`: serves the files of a directory on a free loopback port, says where, and runs until killed.
// Usage: demo-origin DIRECTORY

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: demo-origin DIRECTORY\n".utf8))
    exit(2)
}
let directory = URL(fileURLWithPath: CommandLine.arguments[1])
let origin = try ScriptedOrigin()
for file in try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil) {
    origin.script("/\(file.lastPathComponent)", .ok([UInt8](try Data(contentsOf: file))))
}
print(origin.url(""))
fflush(nil)
while true { pause() }
