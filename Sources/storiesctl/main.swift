import ControlTool
import Glibc
import Platform

StandardStreams.openThoseThatAreClosed()
let output = Descriptor(owning: STDOUT_FILENO, path: "standard output")
let complaints = Descriptor(owning: STDERR_FILENO)
let tool = Tool(
    .ofProcess(),
    print: { bytes in try output.write(bytes) },
    complain: { line in
        // Whoever closed standard error does not want to know.
        try? complaints.write(Array("storiesctl: \(line)\n".utf8))
    })
exit(tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
