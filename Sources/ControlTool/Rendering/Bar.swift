/// How far something is, as `[=====>    ]`.
enum Bar {
    /// `fraction` from 0 to 1, in so many columns, the brackets included; at least 3.
    static func text(_ fraction: Double, columns: Int) -> String {
        let inner = max(1, columns - 2)
        let filled = min(inner, max(0, Int((fraction * Double(inner)).rounded(.down))))
        let head = filled > 0 && filled < inner ? ">" : ""
        let body = String(repeating: "=", count: filled - head.count) + head
        return "[\(body)\(String(repeating: " ", count: inner - filled))]"
    }
}
