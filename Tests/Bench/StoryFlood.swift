import ControlAPI
import Glibc
import JSON
import TestSupport

/// All stories of a load at once: first none of their pictures is cached, then all are.
enum StoryFlood {
    struct Measured {
        /// In seconds.
        private var cold = Samples()
        private var user = Samples()
        private var system = Samples()
        private var again = Samples()
        /// In megabytes.
        private var memory = Samples()
        /// In milliseconds, of all rounds, while nothing is cached.
        private var status = Samples()
        /// The same of each round: what 99 of 100 do not exceed.
        private var slowStatus = Samples()
        /// Kept to the end: ext4 goes around numbers of files that were removed a moment ago, one by one, and a round would
        /// pay for the removal of the one before.
        private var places: [DaemonPlace] = []

        /// Starts a daemon, drops all stories, waits until they are ready, and drops them again under other names.
        mutating func measure(_ load: StoryLoad, _ settings: [String]) async throws {
            let place = try DaemonPlace()
            places.append(place)
            let daemon = try await DaemonProcess.ready(place, settings)
            let first = try StagedPayloads(load, stories: 0..<load.stories, in: place)
            let process = try daemon.status().processID
            let before = try ProcessorTime.used(byProcess: process)
            let (time, asked) = try drop(first, to: daemon, untilReady: load.stories)
            let used = try ProcessorTime.used(byProcess: process) - before
            cold.add(time)
            user.add(used.user)
            system.add(used.system)
            memory.add(Double(try daemon.peakMemory()) / 1e6)
            status.add(asked)
            slowStatus.add(asked.quantile(0.99))

            let second = try StagedPayloads(load, stories: 0..<load.stories, prefix: "again-", in: place)
            again.add(try drop(second, to: daemon, untilReady: 2 * load.stories).seconds)
            let completed = try daemon.status().transfers.completed
            guard completed == load.urls.count else {
                throw BenchFailure("\(completed) transfers, where \(load.urls.count) are enough")
            }
        }

        func writeCold(to table: inout Table, megabytes: Double) {
            table.row("from the first payload's rename to all ready, s", cold)
            table.row("MB/s", cold.map { megabytes / $0 }, digits: 0)
            table.row("processor time, user, s", user)
            table.row("processor time, system, s", system)
            table.row("peak resident memory, MB", memory, digits: 1)
            table.row("GET /v1/status meanwhile, ms", status)
            table.row("99 of 100 of these within, ms (of each round)", slowStatus)
        }

        func writeAgain(to table: inout Table) {
            table.row("from the first payload's rename to all ready, s", again)
        }

        /// Drops the payloads and asks for the status until so many stories are ready. Answers the seconds that this took,
        /// and the milliseconds of each question.
        private func drop(
            _ payloads: StagedPayloads, to daemon: DaemonProcess, untilReady count: Int
        ) throws -> (seconds: Double, questions: Samples) {
            guard let client = ControlClient(socketPath: daemon.place.socket) else {
                throw BenchFailure("there is no memory")
            }
            var questions = Samples()
            let start = ContinuousClock.now
            try payloads.drop()
            while true {
                let asked = ContinuousClock.now
                let answer = try client.send(.status)
                let now = ContinuousClock.now
                questions.add((now - asked).seconds * 1000)
                let report = try answer.decoded { object throws(JSONFieldError) in try StatusReport(json: object) }
                if report.stories.ready == count { return ((now - start).seconds, questions) }
                guard daemon.end == nil, now - start < .seconds(120) else {
                    throw BenchFailure("\(count) stories did not get ready\n\(daemon.log)")
                }
                // A hundred questions a second: enough to tell the end by, and little beside the load.
                usleep(10_000)
            }
        }
    }
}
