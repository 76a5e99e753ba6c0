import ControlAPI
import Glibc
import JSON
import Platform

/// `storiesctl` but for the process: reads a command line, asks the daemon, prints. Blocks while it waits for answers.
package struct Tool {
    private let surroundings: Surroundings
    private let print: ([UInt8]) throws -> Void
    private let complain: (String) -> Void

    /// `print` writes to standard output, `complain` a line to standard error.
    package init(
        _ surroundings: Surroundings, print: @escaping ([UInt8]) throws -> Void,
        complain: @escaping (String) -> Void
    ) {
        self.surroundings = surroundings
        self.print = print
        self.complain = complain
    }

    /// Does what the arguments (without the program's name) ask for.
    package func run(_ arguments: [String]) -> ExitCode {
        do {
            return try perform(Invocation(arguments))
        } catch let error as UsageError {
            explain("\(error.message)\n'storiesctl --help' tells what there is.")
            return .usage
        } catch let error as ControlClientError {
            explain(error.description)
            return status(of: error)
        } catch {
            explain("\(error)")
            return .failed
        }
    }

    private func perform(_ invocation: Invocation) throws -> ExitCode {
        switch invocation.action {
        case .help(let command): try show(Help.lines(for: command))
        case .version: try show(["storiesctl \(ProductVersion.current)"])
        case .run(let command):
            let path = surroundings.socketPath(given: invocation.socketPath)
            guard let client = ControlClient(socketPath: path) else {
                throw SystemError("curl_easy_init", code: ENOMEM)
            }
            return try perform(command, client, path, asJSON: invocation.wantsJSON)
        }
        return .done
    }

    private func perform(
        _ command: Command, _ client: ControlClient, _ path: String, asJSON: Bool
    ) throws -> ExitCode {
        switch command {
        case .prefetch(let order):
            let run = PrefetchRun(
                order: order, client: client, socketPath: path, surroundings: surroundings, print: print,
                complain: explain)
            return try asJSON ? run.runForPrograms() : run.run()
        case .watch:
            let run = WatchRun(client: client, socketPath: path, surroundings: surroundings, print: print)
            guard asJSON || !surroundings.canRedraw else {
                try run.run()
                return .done
            }
            try run.printEvents(isExact: asJSON)
            explain("the daemon has ended its answer")
            return .unreachable
        case .verify:
            return try verify(Answer(client: client, surroundings: surroundings), asJSON: asJSON)
        default:
            let answer = Answer(client: client, surroundings: surroundings)
            // Metrics are for programs in any case.
            if asJSON || command == .metrics {
                let response = try answer.exact(command)
                try print(response.body)
                try response.check()
            } else {
                try show(answer.lines(command))
            }
            return .done
        }
    }

    /// Fails where something damaged was found and could not be mended: a script is to notice.
    private func verify(_ answer: Answer, asJSON: Bool) throws -> ExitCode {
        let response = try answer.exact(.verify)
        if asJSON { try print(response.body) }
        let report = try response.decoded { object throws(JSONFieldError) in try VerificationReport(json: object) }
        if !asJSON { try show([answer.line(report)]) }
        guard report.repaired < report.corrupt else { return .done }
        explain("not all could be mended; the daemon goes on trying")
        return .failed
    }

    private func status(of error: ControlClientError) -> ExitCode {
        switch error {
        case .unreachable: .unreachable
        case .refused(let refusal) where refusal.status == 404: .notFound
        case .refused, .unreadable: .failed
        }
    }

    private func show(_ lines: [String]) throws {
        try print(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    private func explain(_ text: String) {
        for line in text.split(separator: "\n") { complain(DisplayText.clean(String(line))) }
    }
}
