package import JSON

/// The groups: the answer to `GET /v1/groups`.
package struct GroupList: Sendable, Equatable {
    package let groups: [StatusReport.Group]

    package init(groups: [StatusReport.Group]) {
        self.groups = groups
    }

    /// Throws where a member is missing or of another type.
    package init(json: JSONObject) throws(JSONFieldError) {
        groups = try json.objects("groups") { element throws(JSONFieldError) in try StatusReport.Group(json: element) }
    }

    /// As it is sent.
    package var json: JSONObject { ["groups": .array(groups.map { .object($0.json) })] }
}
