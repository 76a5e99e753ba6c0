import Daemon
import Glibc

// storiesd, in all but what the words before `--` have done to its steps.
let words = Array(CommandLine.arguments.dropFirst())
guard let end = words.firstIndex(of: "--"), let plan = StepPlan(words[..<end]) else {
    print(
        "usage: crash-daemon (record FILE | kill STEP | fail STEP ERRNO | fail-from STEP ERRNO) -- ARGUMENTS-OF-STORIESD"
    )
    exit(2)
}
plan.begin()
DaemonProgram.main(Array(words[(end + 1)...]))
