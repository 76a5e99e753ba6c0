import JSON

/// How far one page is that is waited for, by what the daemon tells of it. A value.
struct PageProgress {
    let index: Int
    private(set) var url = ""
    /// One of the manifest's.
    private(set) var state = "pending"
    /// So many have come.
    private(set) var bytes = 0
    /// So many are to come; nil where the origin has not said.
    private(set) var total: Int?
    /// Where the picture is from, by the manifest; nil until it is cached.
    private(set) var source: String?
    private(set) var errorCode: String?
    private(set) var errorMessage: String?
    /// The first bytes that were told of in this transfer, and when.
    private var start: (bytes: Int, seconds: Double)?
    /// Bytes a second since then.
    private(set) var rate: Double?

    init(index: Int) {
        self.index = index
    }

    /// Whether its first round has ended.
    var isDone: Bool { state != "pending" }

    /// How far it is, from 0 to 1.
    var fraction: Double {
        if state == "cached" { return 1 }
        guard let total, total > 0, !isDone else { return 0 }
        return min(1, Double(bytes) / Double(total))
    }

    /// What it is about, in a word.
    var word: String {
        switch state {
        case "pending": errorCode.map { "again: \($0)" } ?? (bytes > 0 ? "loading" : "waiting")
        case "failed": errorCode ?? state
        default: source == "network" ? state : source ?? state
        }
    }

    /// Takes what a manifest says of the page.
    mutating func take(manifest page: JSONObject) {
        url = page["image_url"]?.stringValue ?? url
        state = page["state"]?.stringValue ?? state
        source = page["source"]?.stringValue
        errorCode = page["error"]?.objectValue?["code"]?.stringValue
        errorMessage = page["error"]?.objectValue?["message"]?.stringValue
        if let size = page["bytes"]?.integerValue { bytes = Int(size) }
        if isDone { rate = nil }
    }

    /// Takes what has come of it by the moment `seconds`, on any clock that goes on.
    mutating func take(bytes: Int, total: Int?, at seconds: Double) {
        guard !isDone else { return }
        // Fewer than before: it has begun again.
        if start == nil || bytes < self.bytes { start = (bytes, seconds) }
        if let start, seconds > start.seconds { rate = Double(bytes - start.bytes) / (seconds - start.seconds) }
        self.bytes = bytes
        self.total = total ?? self.total
    }
}
