internal import JSON

/// A request of the Messages API, as it is sent to the push service, in place of what a device gets from it.
struct MessagesRequest {
    /// The objects among its notifications.
    private let notifications: [JSONObject]

    /// Nil where `root` is a notification's dictionary: it has an `aps` or a block of its own, or is no such request.
    init?(_ root: JSONObject) {
        guard let request = root["request"]?.objectValue, let elements = request["notifications"]?.arrayValue,
            root["aps"] == nil, case .nothing = StoryBlock.find(in: root)
        else { return nil }
        notifications = elements.compactMap(\.objectValue)
    }

    /// The dictionary that a device would get, of each notification in order.
    var userInfos: [JSONObject] { notifications.map(Self.userInfo) }

    /// `ios_root_params` are the root; what the notification says itself wins over what they say.
    private static func userInfo(of notification: JSONObject) -> JSONObject {
        var userInfo = notification["ios_root_params"]?.objectValue ?? JSONObject()
        var aps = userInfo["aps"]?.objectValue ?? JSONObject()
        if let alert = alert(of: notification, over: aps["alert"]) { aps["alert"] = alert }
        if let category = notification["ios_category_custom"]?.stringValue { aps["category"] = .string(category) }
        if !aps.isEmpty { userInfo["aps"] = .object(aps) }
        if let data = notification["data"], !data.isNull { userInfo["u"] = data }
        return userInfo
    }

    /// The alert, part by part; nil where the notification says nothing of it.
    private static func alert(of notification: JSONObject, over alert: JSONValue?) -> JSONValue? {
        let said = [("title", "ios_title"), ("subtitle", "ios_subtitle"), ("body", "content")].compactMap { part, key in
            text(notification[key]).map { (part, JSONValue.string($0)) }
        }
        guard !said.isEmpty else { return nil }
        var parts = alert?.objectValue ?? JSONObject()
        if let body = alert?.stringValue { parts["body"] = .string(body) }
        for (part, text) in said { parts[part] = text }
        return .object(parts)
    }

    /// A string, or of a language map the English one, else the first by the language's name.
    private static func text(_ value: JSONValue?) -> String? {
        guard let languages = value?.objectValue else { return value?.stringValue }
        if let english = languages["en"]?.stringValue { return english }
        let names = languages.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return names.lazy.compactMap { languages[$0]?.stringValue }.first
    }
}
