internal import JSON

/// The notification's ordinary content: what is shown where there is no story. Texts are as they came, empty ones too.
package struct Alert: Sendable {
    package let title: String?
    package let subtitle: String?
    package let body: String?

    package init(title: String?, subtitle: String?, body: String?) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }

    /// Reads `aps.alert` of a notification. A string is the body; a part that is no string is absent.
    init(aps: JSONObject?) {
        switch aps?["alert"] {
        case .string(let body):
            self.init(title: nil, subtitle: nil, body: body)
        case .object(let parts):
            self.init(
                title: parts["title"]?.stringValue, subtitle: parts["subtitle"]?.stringValue,
                body: parts["body"]?.stringValue)
        default:
            self.init(title: nil, subtitle: nil, body: nil)
        }
    }
}
