import Glibc
import Platform

/// What is done to the steps of a daemon. They are counted from 1, those of all threads in one order: one at a time.
enum StepPlan: Sendable {
    /// Each is written to the file before it counts as made.
    case record(String)
    /// The process ends before the step, by SIGKILL.
    case kill(at: Int)
    /// The step fails with the errno in place of being made; `goesOn`: so do all after it.
    case fail(at: Int, Int32, goesOn: Bool)

    /// By the words of a command line.
    init?(_ words: ArraySlice<String>) {
        let words = Array(words)
        switch (words.first, words.count) {
        case ("record", 2):
            self = .record(words[1])
        case ("kill", 2):
            guard let step = Int(words[1]) else { return nil }
            self = .kill(at: step)
        case ("fail", 3), ("fail-from", 3):
            guard let step = Int(words[1]), let code = Int32(words[2]) else { return nil }
            self = .fail(at: step, code, goesOn: words[0] == "fail-from")
        default:
            return nil
        }
    }

    /// From now on; call it before there is any other thread.
    func begin() {
        let count = Locked(0)
        let recorder: StepRecorder? = if case .record(let path) = self { StepRecorder(path) } else { nil }
        DiskSteps.observe { step, call in
            let (result, code) = count.withLock { count in
                count += 1
                return perform(step, number: count, recorder, call)
            }
            errno = code
            return result
        }
    }

    private func perform(
        _ step: DiskStep, number: Int, _ recorder: StepRecorder?, _ call: () -> Int
    ) -> (result: Int, code: Int32) {
        switch self {
        case .record:
            if let recorder { return recorder.record(step, call) }
        case .kill(at: number):
            Self.say("killed before step \(number): \(step.description)")
            _ = Glibc.kill(getpid(), SIGKILL)
            while true { pause() }
        case .fail(at: let first, let code, let goesOn) where number == first || goesOn && number > first:
            Self.say("step \(number) fails: \(step.description)")
            return (-1, code)
        case .kill, .fail:
            break
        }
        let result = call()
        return (result, errno)
    }

    private static func say(_ text: String) {
        let line = Array("crash-daemon: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
