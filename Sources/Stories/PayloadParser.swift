package import JSON

/// Reads payloads into stories: what a device gets, or a request of the Messages API with one or more notifications.
///
/// Pure: the same bytes and limits always give the same. No payload traps, however hostile.
package enum PayloadParser {
    /// How deep arrays and objects of a payload may nest. The manifest holds the dictionary one level down, and some of
    /// its readers stop at 512.
    package static let maximumDepth = 500

    /// The stories of a payload file, of which there is at least one; no two have the same id.
    package static func stories(from bytes: [UInt8], limits: PayloadLimits) throws(PayloadRejection) -> [Story] {
        guard bytes.count <= limits.payloadBytes else {
            throw PayloadRejection(
                .tooLarge, "The payload has \(bytes.count) bytes; at most \(limits.payloadBytes) are read.")
        }
        let root: JSONValue
        do {
            root = try JSONParser.parse(bytes, maximumDepth: maximumDepth)
        } catch {
            throw PayloadRejection(.notJSON, "The payload is not JSON: \(error).")
        }
        return try stories(from: root, limits: limits)
    }

    /// The same of a payload that is parsed already, to at most `maximumDepth`; its size is not looked at.
    package static func stories(from root: JSONValue, limits: PayloadLimits) throws(PayloadRejection) -> [Story] {
        guard let root = root.objectValue else {
            throw PayloadRejection(.notAnObject, "The payload's root is not an object.")
        }
        guard let request = MessagesRequest(root) else {
            return [Story(id: StoryID(messageHash: root) ?? StoryID(content: root), userInfo: root, limits: limits)]
        }
        let userInfos = request.userInfos
        guard !userInfos.isEmpty else {
            throw PayloadRejection(.noNotifications, "The request has no notification that is an object.")
        }
        return stories(of: userInfos, limits: limits)
    }

    /// One story for each id: of notifications with equal content, or a `p` that is another's numbered name, the last.
    private static func stories(of userInfos: [JSONObject], limits: PayloadLimits) -> [Story] {
        var stories: [Story] = []
        var places: [StoryID: Int] = [:]
        for (id, userInfo) in zip(ids(of: userInfos), userInfos) {
            let story = Story(id: id, userInfo: userInfo, limits: limits)
            if let place = places[id] {
                stories[place] = story
            } else {
                places[id] = stories.count
                stories.append(story)
            }
        }
        return stories
    }

    /// Notifications that share a `p` are numbered among themselves, in order.
    private static func ids(of userInfos: [JSONObject]) -> [StoryID] {
        let named = userInfos.map { StoryID(messageHash: $0) }
        let uses = Dictionary(grouping: named.compactMap(\.self), by: \.self).mapValues(\.count)
        var numbers: [StoryID: Int] = [:]
        return zip(named, userInfos).map { name, userInfo in
            guard let name else { return StoryID(content: userInfo) }
            guard let count = uses[name], count > 1 else { return name }
            let number = numbers[name, default: 0]
            numbers[name] = number + 1
            return name.numbered(number)
        }
    }
}
