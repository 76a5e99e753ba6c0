import JSON

extension Event {
    /// A page of the story that is named.
    package struct Page: Sendable, Equatable {
        /// Its index in the payload.
        package let index: Int
        /// One of the manifest's.
        package let state: String
        /// How much of its picture has come; where it is cached, all.
        package let bytes: Int
        /// How large its picture is; nil while that is unknown.
        package let total: Int?
        /// What the last attempt failed with, one of the manifest's; nil where none has.
        package let code: String?
        /// When it is tried again; nil where it is not, or where it is being tried.
        package let retryAt: String?

        package init(
            index: Int, state: String, bytes: Int = 0, total: Int? = nil, code: String? = nil, retryAt: String? = nil
        ) {
            self.index = index
            self.state = state
            self.bytes = bytes
            self.total = total
            self.code = code
            self.retryAt = retryAt
        }

        init(_ json: JSONObject) throws(JSONFieldError) {
            index = try json.count("page")
            state = try json.string("state")
            bytes = try json.count("bytes")
            total = try json.optionalInteger("total").map(Int.init)
            code = try json.optionalString("code")
            retryAt = try json.optionalString("retry_at")
        }

        func write(to json: inout JSONObject) {
            json["page"] = JSONValue(index)
            json["state"] = .string(state)
            json["bytes"] = JSONValue(bytes)
            json["total"] = JSONValue(total)
            json["code"] = JSONValue(code)
            json["retry_at"] = JSONValue(retryAt)
        }
    }
}
