package import JSON

/// What a look at every object of every container found: the answer to `POST /v1/verify`.
package struct VerificationReport: Sendable, Equatable {
    /// Objects that were to be there.
    package let checked: Int
    /// Of these, those whose bytes are not what their name says, or that were gone.
    package let corrupt: Int
    /// Of these, those that nobody misses any more: fetched again, or removed where no story holds them.
    package let repaired: Int

    package init(checked: Int, corrupt: Int, repaired: Int) {
        self.checked = checked
        self.corrupt = corrupt
        self.repaired = repaired
    }

    /// Throws where a member is missing or of another type.
    package init(json: JSONObject) throws(JSONFieldError) {
        checked = try json.count("checked")
        corrupt = try json.count("corrupt")
        repaired = try json.count("repaired")
    }

    /// As it is sent.
    package var json: JSONObject {
        ["checked": JSONValue(checked), "corrupt": JSONValue(corrupt), "repaired": JSONValue(repaired)]
    }
}
