import Foundation
import Platform
import Testing

/// The steps of the scenario at which something is done to it, one run for each.
struct Sweep {
    /// Every so-many-th step: all for `make test-crash`, which takes a while, a few for `make test`.
    static let stride = ProcessInfo.processInfo.environment["CRASH_EVERY"].flatMap { Int($0) } ?? 40
    /// One step alone, to look into what was found there.
    private static let only = ProcessInfo.processInfo.environment["CRASH_AT"].flatMap { Int($0) }
    /// Runs side by side: most of the time a run waits.
    private static let width = ProcessInfo.processInfo.environment["CRASH_WIDTH"].flatMap { Int($0) } ?? 4

    let name: String
    /// How many steps there are.
    let count: Int
    /// Where to begin, so that sweeps which only look at a few steps do not all look at the same.
    var start = 1

    /// Calls `run` with each step and expects no finding; prints what came out.
    func expectNoFindings(_ run: @escaping @Sendable (_ step: Int) async -> [String]) async {
        let start = Self.stride == 1 ? 1 : start
        let steps = Self.only.map { [$0] } ?? Array(Swift.stride(from: start, through: count, by: Self.stride))
        let began = ContinuousClock.now
        var violations = 0
        await withTaskGroup(of: (step: Int, findings: [String]).self) { group in
            var rest = steps[...]
            for _ in 0..<Self.width { if let step = rest.popFirst() { group.addTask { (step, await run(step)) } } }
            while let (step, findings) = await group.next() {
                if let step = rest.popFirst() { group.addTask { (step, await run(step)) } }
                if findings.isEmpty { continue }
                violations += 1
                Issue.record("\(name) at step \(step): \(findings.joined(separator: "\n"))")
            }
        }
        let seconds = Int((ContinuousClock.now - began) / .seconds(1))
        print("\(name): \(steps.count) of \(count) steps, \(violations) violations, \(seconds) s")
        // At once, also where it is no terminal that it goes to.
        fflush(nil)
    }
}
