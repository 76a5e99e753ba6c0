internal import JSON

/// Reads the members of one object of a manifest; its errors name the place. A local of the initialisers that read.
struct ManifestReader {
    let object: JSONObject
    /// Where the object stands, such as `pages[2].`; empty for the root.
    let place: String

    init(_ object: JSONObject, place: String = "") {
        self.object = object
        self.place = place
    }

    /// What `read` takes from the object.
    func field<Value>(_ read: (JSONObject) throws(JSONFieldError) -> Value) throws(ManifestError) -> Value {
        do {
            return try read(object)
        } catch {
            throw ManifestError(message: place + error.message)
        }
    }

    func string(_ key: String) throws(ManifestError) -> String {
        try field { object throws(JSONFieldError) in try object.string(key) }
    }

    func optionalString(_ key: String) throws(ManifestError) -> String? {
        try field { object throws(JSONFieldError) in try object.optionalString(key) }
    }

    func bool(_ key: String) throws(ManifestError) -> Bool {
        try field { object throws(JSONFieldError) in try object.bool(key) }
    }

    /// A count or place: a whole number of at least `minimum`.
    func integer(_ key: String, atLeast minimum: Int = 0) throws(ManifestError) -> Int {
        let integer = try field { object throws(JSONFieldError) in try object.integer(key) }
        guard let value = Int(exactly: integer), value >= minimum else { throw error(key) }
        return value
    }

    /// The value that a string stands for.
    func value<Value>(_ key: String, _ make: (String) -> Value?) throws(ManifestError) -> Value {
        guard let value = make(try string(key)) else { throw error(key) }
        return value
    }

    /// The value that a string stands for; nil where there is null.
    func optionalValue<Value>(_ key: String, _ make: (String) -> Value?) throws(ManifestError) -> Value? {
        guard try optionalString(key) != nil else { return nil }
        return try value(key, make)
    }

    func reader(_ key: String) throws(ManifestError) -> ManifestReader {
        ManifestReader(try field { object throws(JSONFieldError) in try object.object(key) }, place: "\(place)\(key).")
    }

    /// A reader for the object under `key`; nil where there is null.
    func optionalReader(_ key: String) throws(ManifestError) -> ManifestReader? {
        let object = try field { object throws(JSONFieldError) in try object.optionalObject(key) }
        return object.map { ManifestReader($0, place: "\(place)\(key).") }
    }

    /// A reader for each element of the array under `key`, all of which are objects.
    func readers(_ key: String) throws(ManifestError) -> [ManifestReader] {
        let elements = try field { object throws(JSONFieldError) in try object.array(key) }
        var readers: [ManifestReader] = []
        for (index, element) in elements.enumerated() {
            let name = "\(place)\(key)[\(index)]"
            guard let object = element.objectValue else { throw ManifestError(message: "\(name): not an object") }
            readers.append(ManifestReader(object, place: "\(name)."))
        }
        return readers
    }

    /// The error that `key` is not what may stand there.
    func error(_ key: String) -> ManifestError {
        ManifestError(message: "\(place)\"\(key)\": out of range or of the wrong form")
    }
}
