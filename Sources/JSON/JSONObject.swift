/// The members of a JSON object in the order they were written.
///
/// Keys are told apart by their UTF-8 bytes: "é" composed and "é" decomposed are two keys. Of equal keys the last
/// value wins and stands in the place of the first. Equality ignores the order.
package struct JSONObject: Sendable {
    /// The members in order; no key occurs twice.
    package private(set) var members: [(key: String, value: JSONValue)] = []

    /// Where each key stands, kept only once a walk through the members would be slow: thousands of keys
    /// in a hostile payload must not cost their square.
    private var places: [ExactKey: Int]?

    private static let longestWalk = 16

    /// An object without members.
    package init() {}

    /// The members given, as if set one after the other.
    package init(_ members: some Sequence<(String, JSONValue)>) {
        for (key, value) in members { set(key, to: value) }
    }

    /// The keys in order.
    package var keys: [String] { members.map(\.key) }

    /// Whether there are no members.
    package var isEmpty: Bool { members.isEmpty }

    /// How many members there are.
    package var count: Int { members.count }

    /// The value under a key. Setting `nil` removes the member; a member that is null is set with `.null`.
    package subscript(key: String) -> JSONValue? {
        get { place(of: key).map { members[$0].value } }
        set {
            if let newValue { set(key, to: newValue) } else { remove(key) }
        }
    }

    private func place(of key: String) -> Int? {
        if let places { return places[ExactKey(text: key)] }
        return members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    }

    private mutating func set(_ key: String, to value: JSONValue) {
        if let place = place(of: key) {
            members[place].value = value
            return
        }
        members.append((key, value))
        if places != nil {
            places?[ExactKey(text: key)] = members.count - 1
        } else if members.count > Self.longestWalk {
            indexPlaces()
        }
    }

    private mutating func remove(_ key: String) {
        guard let place = place(of: key) else { return }
        members.remove(at: place)
        if places != nil { indexPlaces() }
    }

    private mutating func indexPlaces() {
        var places = [ExactKey: Int](minimumCapacity: members.count * 2)
        for (place, member) in members.enumerated() { places[ExactKey(text: member.key)] = place }
        self.places = places
    }

    /// A key whose equality is that of its UTF-8 bytes.
    private struct ExactKey: Hashable {
        let text: String

        static func == (left: ExactKey, right: ExactKey) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

        func hash(into hasher: inout Hasher) {
            var text = text
            // SAFETY: the buffer is used only within the closure.
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}

extension JSONObject: Equatable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
