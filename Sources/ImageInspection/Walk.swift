/// Leads a walker over the body: gathers the bytes it asks for, across the borders of the pieces, and passes over the
/// others. Owned by the inspector.
struct Walk: Sendable {
    private(set) var walker: any Walker
    private(set) var rejection: ImageProblem?

    private enum Wish {
        case read(Int), scan, nothing
    }

    /// How many bytes were taken or passed over: the place in the body of the next one.
    private var offset: UInt64 = 0
    private var toPass: UInt64 = 0
    private var wish = Wish.nothing
    /// The bytes of an unfinished `.read`.
    private var gathered: [UInt8] = []

    init(_ walker: some Walker) {
        self.walker = walker
        obey(self.walker.next(.none, upTo: 0))
    }

    mutating func consume(_ bytes: Bytes) {
        var rest = bytes
        while true {
            if toPass > 0 {
                let passed = Int(min(toPass, UInt64(rest.count)))
                rest = advance(rest, by: passed)
                toPass -= UInt64(passed)
                if toPass > 0 { return }
            }
            switch wish {
            case .nothing:
                return
            case .scan:
                guard rest.count > 0 else { return }
                let (taken, step) = walker.scan(rest)
                rest = advance(rest, by: taken)
                obey(step)
            case .read(let count) where gathered.isEmpty && rest.count >= count:
                let wanted = rest.prefix(count)
                rest = advance(rest, by: count)
                obey(walker.next(wanted, upTo: offset))
            case .read(let count):
                let piece = rest.prefix(count - gathered.count)
                gathered.append(contentsOf: piece.raw)
                rest = advance(rest, by: piece.count)
                guard gathered.count >= count else { return }
                let wanted = gathered
                gathered = []
                // SAFETY: the walker reads the view within the call and keeps none of it.
                obey(wanted.withUnsafeBytes { walker.next(Bytes($0), upTo: offset) })
            }
        }
    }

    func finish() -> Result<ImageHeader, ImageProblem> {
        if let rejection { return .failure(rejection) }
        let inside = toPass > 0 || !gathered.isEmpty
        var ended = false
        if case .nothing = wish, toPass == 0 { ended = true }
        if !ended, let problem = walker.missing(at: offset, inside: inside) { return .failure(problem) }
        guard let type = walker.type, let size = walker.size else {
            return .failure(.incomplete("its size is nowhere told"))
        }
        return .success(ImageHeader(type: type, size: size, frames: walker.frames))
    }

    private mutating func advance(_ rest: Bytes, by count: Int) -> Bytes {
        offset += UInt64(count)
        return rest.dropFirst(count)
    }

    private mutating func obey(_ step: Step) {
        switch step {
        case .read(let count, let after): (toPass, wish) = (after, .read(min(max(count, 1), Step.longestRead)))
        case .scan(let after): (toPass, wish) = (after, .scan)
        case .end(let after): (toPass, wish) = (after, .nothing)
        case .reject(let problem): (toPass, wish, rejection) = (0, .nothing, problem)
        }
    }
}
