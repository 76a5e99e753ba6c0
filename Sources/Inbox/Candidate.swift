import Platform

/// A payload as a scan finds it. The oldest content sorts first.
struct Candidate: Comparable, Sendable {
    let modified: Timestamp
    let file: PayloadFile

    static func < (left: Candidate, right: Candidate) -> Bool {
        (left.modified, left.file) < (right.modified, right.file)
    }
}
