internal import JSON

/// The object `pw_stories` of a notification: where it stands and what is in it.
struct StoryBlock {
    /// What the search for the block came to.
    enum Search {
        case found(StoryBlock)
        case nothing(FallbackReason)
    }

    private static let key = "pw_stories"

    private let fields: JSONObject

    /// Looks at the root, in `u`, in `userdata`, and at last for a block at the root that is JSON in a string. The
    /// first object wins, whatever its pages; what is of the wrong form is passed over and matters only where nothing
    /// better is found.
    static func find(in userInfo: JSONObject) -> Search {
        if let block = userInfo[key]?.objectValue { return .found(StoryBlock(fields: block)) }
        var isMalformed = false
        for container in ["u", "userdata"] {
            // Null custom data is none.
            guard let content = userInfo[container], !content.isNull else { continue }
            guard let object = object(content) else {
                isMalformed = true
                continue
            }
            guard let found = object[key] else { continue }
            if let block = found.objectValue { return .found(StoryBlock(fields: block)) }
            isMalformed = true
        }
        if let found = userInfo[key] {
            if let block = object(found) { return .found(StoryBlock(fields: block)) }
            isMalformed = true
        }
        return .nothing(isMalformed ? .malformed : .missing)
    }

    /// The object, or the one that a string holds as JSON.
    private static func object(_ value: JSONValue) -> JSONObject? {
        guard let text = value.stringValue else { return value.objectValue }
        // Where it does not parse matters to nobody: the story only says that it is malformed.
        return try? JSONParser.parse(text, maximumDepth: PayloadParser.maximumDepth).objectValue
    }

    /// The pages, the elements that are none, and why no page is left where none is.
    func pages(limits: PayloadLimits) -> ([Page], [SkippedPage], FallbackReason?) {
        guard let value = fields["pages"], !value.isNull else { return ([], [], .empty) }
        guard let elements = value.arrayValue else { return ([], [], .malformed) }
        guard !elements.isEmpty else { return ([], [], .empty) }
        var pages: [Page] = []
        var skipped: [SkippedPage] = []
        for (index, element) in elements.prefix(limits.pages).enumerated() {
            switch Page.parse(element, index: index, limits: limits) {
            case .page(let page): pages.append(page)
            case .skipped(let page): skipped.append(page)
            }
        }
        if elements.count > limits.pages {
            skipped.append(
                SkippedPage(
                    index: limits.pages, code: .tooManyPages,
                    message: "\(elements.count) pages are more than \(limits.pages): the rest is left out."))
        }
        return (pages, skipped, pages.isEmpty ? .noUsablePages : nil)
    }
}
