/// The names and values behind the `?` of a request, decoded; no name occurs twice.
package struct QueryParameters: Sendable, Equatable {
    private var values: [String: String] = [:]

    package init() {}

    /// The value of a name; nil where it is not given.
    package subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The names, in order.
    package var names: [String] { values.keys.sorted() }

    /// `name=value&…`, percent-encoded.
    package var encoded: String {
        names.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode(values[$0] ?? ""))" }.joined(separator: "&")
    }

    /// The group under `group`; nil where it is not given, empty for stories without a group.
    package func group() throws(APIError) -> String? {
        guard let group = self["group"] else { return nil }
        guard group.isEmpty || Self.isGroupID(group) else {
            throw .badRequest("group: expected a group id: a letter or digit, then letters, digits, '.', '_' or '-'")
        }
        return group
    }

    /// The whole number under the name; nil where it is not given.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws(APIError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .badRequest("\(name): expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func isGroupID(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLetterOrDigit, text.utf8.count <= 128 else { return false }
        return text.utf8.allSatisfy {
            $0.isLetterOrDigit || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains($0)
        }
    }
}
