import Glibc
import ImageInspection
import JSON
import Platform
import Stories

extension ValueForm where Value == Bool {
    static var flag: Self {
        Self(rule: "true or false") { (json) throws(Misfit) in
            guard let bool = json.boolValue else { throw Misfit(found: json) }
            return bool
        } write: { bool in
            .bool(bool)
        }
    }
}

extension ValueForm {
    /// One of a few words, each with what it stands for.
    static func word(_ choices: [(word: String, value: Value)]) -> Self {
        let words = choices.map(\.word)
        let list = words.dropLast().map { "\"\($0)\"" }.joined(separator: ", ") + " or \"\(words.last ?? "")\""
        return Self(rule: list) { (json) throws(Misfit) in
            guard let choice = choices.first(where: { $0.word == json.stringValue }) else {
                throw Misfit(unknown: json, among: words)
            }
            return choice.value
        } write: { value in
            JSONValue(choices.first { $0.value == value }?.word)
        }
    }
}

extension ValueForm where Value == String {
    /// A path, normalised.
    static var path: Self {
        Self(rule: "an absolute path without . or .. in it") { (json) throws(Misfit) in
            guard let path = json.stringValue.flatMap(normalizedPath) else { throw Misfit(found: json) }
            // The kernel takes no longer ones, path_resolution(7); the last byte of PATH_MAX is for a NUL.
            guard path.utf8.count < PATH_MAX else {
                throw Misfit("found one of \(path.utf8.count) bytes, where \(PATH_MAX - 1) are the most")
            }
            if let part = path.split(separator: "/").first(where: { $0.utf8.count > NAME_MAX }) {
                throw Misfit("found a name of \(part.utf8.count) bytes in it, where \(NAME_MAX) are the most")
            }
            return path
        } write: { path in
            .string(path)
        }
    }

    /// The value of a header: visible characters and spaces.
    static var headerValue: Self {
        Self(rule: "a text that is not empty and has no control characters") { (json) throws(Misfit) in
            guard let text = json.stringValue, isHeaderValue(text) else { throw Misfit(found: json) }
            return text
        } write: { text in
            .string(text)
        }
    }
}

extension ValueForm where Value == GroupID {
    static var group: Self {
        let rule = "an app group's name: a letter or digit, then up to 127 of letters, digits and . _ -"
        return Self(rule: rule) { (json) throws(Misfit) in
            guard let group = json.stringValue.flatMap({ GroupID($0) }) else { throw Misfit(found: json) }
            return group
        } write: { group in
            .string(group.description)
        }
    }
}

extension ValueForm where Value == [ImageType] {
    static var imageTypes: Self {
        let words = ImageType.allCases.map(\.rawValue)
        let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
        return Self(rule: "a list of at least one of \(list)") { (json) throws(Misfit) in
            let types = try elements(of: json) { (element) throws(Misfit) in
                guard let type = element.stringValue.flatMap(ImageType.init) else {
                    throw Misfit(unknown: element, among: words)
                }
                return type
            }
            guard !types.isEmpty else { throw Misfit("found an empty list") }
            return types
        } write: { types in
            .array(types.map { .string($0.rawValue) })
        }
    }
}

extension ValueForm where Value == [String] {
    /// Names of query parameters.
    static var parameterNames: Self {
        let rule = "a list of names such as \"token\" or \"X-Amz-*\": a * at the end only, no spaces, none of & = #"
        return Self(rule: rule) { (json) throws(Misfit) in
            try elements(of: json) { (element) throws(Misfit) in
                guard let name = element.stringValue, !name.isEmpty, !name.dropLast().utf8.contains(UInt8(ascii: "*")),
                    name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"&=#".utf8.contains($0) })
                else { throw Misfit(found: element) }
                return name
            }
        } write: { names in
            .array(names.map { .string($0) })
        }
    }
}

extension Misfit {
    /// A word that is none of `words`, with the nearest one as a hint.
    fileprivate init(unknown json: JSONValue, among words: [String]) {
        let hint = json.stringValue.flatMap { nearestName(to: $0, among: words) }
        let found = Misfit(found: json)
        self.init(hint.map { "\(found.finding), did you mean \"\($0)\"?" } ?? found.finding)
    }
}
