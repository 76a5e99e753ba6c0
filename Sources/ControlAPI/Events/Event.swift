package import JSON

/// Something that has happened, as one line of `GET /v1/events` tells it. Times are RFC 3339 texts.
package struct Event: Sendable, Equatable {
    /// What it was.
    package enum News: Sendable, Equatable {
        /// The story's first manifest is on disk; also where it takes the place of one of the same name.
        case storyAccepted(Story)
        /// Bytes have come, or an attempt has failed that another follows.
        case pageProgress(Page)
        /// The manifest on disk says that the page's picture is there.
        case pageCached(Page)
        /// A round of attempts has ended without the picture.
        case pageFailed(Page)
        /// The revision that settles the story is on disk.
        case storySettled(Story)
        /// Any other revision than the first and the one that settles the story is on disk.
        case storyUpdated(Story)
        /// The story is gone; `evicted`: to make room, or since it was too old or one too many.
        case storyDeleted(evicted: Bool)
        /// A file of the inbox could be no story; `file` is its name, `code` and `message` are those beside it.
        case payloadRejected(file: String, code: String, message: String)
        /// Objects were removed to make room: those of the story that is named, or some that no story held.
        case cacheEvicted(objects: Int, bytes: Int)
        /// The object, by its path below the container's cache, was not what its name says.
        case cacheCorrupt(file: String)
        /// This reader was too slow for so many events, which it misses.
        case lagged(missed: Int)
    }

    package let at: String
    /// Nil: none was named, or the news concerns no single one.
    package let group: String?
    /// The story's; nil where the news concerns no single one.
    package let id: String?
    package let news: News

    package init(at: String, group: String? = nil, id: String? = nil, _ news: News) {
        self.at = at
        self.group = group
        self.id = id
        self.news = news
    }

    /// The event's name.
    package var name: String {
        switch news {
        case .storyAccepted: "story.accepted"
        case .pageProgress: "page.progress"
        case .pageCached: "page.cached"
        case .pageFailed: "page.failed"
        case .storySettled: "story.settled"
        case .storyUpdated: "story.updated"
        case .storyDeleted: "story.deleted"
        case .payloadRejected: "payload.rejected"
        case .cacheEvicted: "cache.evicted"
        case .cacheCorrupt: "cache.corrupt"
        case .lagged: "lagged"
        }
    }

    /// As it is sent.
    package var json: JSONObject {
        var json: JSONObject = ["event": .string(name), "at": .string(at)]
        if case .lagged = news {
        } else {
            json["group"] = JSONValue(group)
            json["id"] = JSONValue(id)
        }
        switch news {
        case .storyAccepted(let story), .storySettled(let story), .storyUpdated(let story): story.write(to: &json)
        case .pageProgress(let page), .pageCached(let page), .pageFailed(let page): page.write(to: &json)
        case .storyDeleted(let evicted): json["evicted"] = .bool(evicted)
        case .payloadRejected(let file, let code, let message):
            json["file"] = .string(file)
            json["code"] = .string(code)
            json["message"] = .string(message)
        case .cacheEvicted(let objects, let bytes):
            json["objects"] = JSONValue(objects)
            json["bytes"] = JSONValue(bytes)
        case .cacheCorrupt(let file): json["file"] = .string(file)
        case .lagged(let missed): json["missed"] = JSONValue(missed)
        }
        return json
    }

    /// The line, with its newline.
    package var line: [UInt8] { Array((JSONValue.object(json).serialized(.compact) + "\n").utf8) }

    /// Nil for an event of a name that is not known: later daemons may tell more. Throws where a member is missing or of
    /// another type.
    package init?(json: JSONObject) throws(JSONFieldError) {
        at = try json.string("at")
        group = try json.optionalString("group")
        id = try json.optionalString("id")
        switch try json.string("event") {
        case "story.accepted": news = .storyAccepted(try Story(json))
        case "page.progress": news = .pageProgress(try Page(json))
        case "page.cached": news = .pageCached(try Page(json))
        case "page.failed": news = .pageFailed(try Page(json))
        case "story.settled": news = .storySettled(try Story(json))
        case "story.updated": news = .storyUpdated(try Story(json))
        case "story.deleted": news = .storyDeleted(evicted: try json.bool("evicted"))
        case "payload.rejected":
            news = .payloadRejected(
                file: try json.string("file"), code: try json.string("code"), message: try json.string("message"))
        case "cache.evicted":
            news = .cacheEvicted(objects: try json.count("objects"), bytes: try json.count("bytes"))
        case "cache.corrupt": news = .cacheCorrupt(file: try json.string("file"))
        case "lagged": news = .lagged(missed: try json.count("missed"))
        default: return nil
        }
    }
}
