/// The name among `candidates` that someone who wrote `text` most likely meant; nil where none is near. Of equally near
/// ones the first.
///
/// Near means that few letters are wrong, missing, too many or swapped with their neighbour (half of them at most, or
/// two), or that `text` is a beginning of the name.
package func nearestName(to text: String, among candidates: some Sequence<String>) -> String? {
    let written = Array(text.lowercased())
    let limit = max(2, written.count / 2)
    var nearest: (name: String, distance: Int)?
    for candidate in candidates {
        let isBeginning = written.count >= 3 && candidate.lowercased().hasPrefix(text.lowercased())
        let distance = isBeginning ? 1 : editDistance(written, Array(candidate.lowercased()))
        // A word none of whose letters is right is no slip of the finger.
        guard distance <= limit, distance < max(written.count, 1) else { continue }
        if distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
    }
    return nearest?.name
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to turn one word into the
/// other (optimal string alignment).
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        for column in right.indices {
            let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
            var least = min(replaced, last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                least = min(least, beforeLast[column - 1] + 1)
            }
            current.append(least)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
