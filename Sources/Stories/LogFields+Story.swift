package import Platform

// What entries of the log are about, in the product's words.
extension Log.Fields {
    package static func story(_ key: StoryKey) -> Log.Fields {
        Log.Fields(("STORY_ID", key.id.description), ("GROUP", key.group?.description))
    }

    /// Nothing where it is about no group.
    package static func group(_ group: GroupID?) -> Log.Fields {
        Log.Fields(("GROUP", group?.description))
    }

    /// Of a page's or a payload's error: what a manifest or the reason beside a rejected payload calls it.
    package static func code(_ code: String) -> Log.Fields {
        Log.Fields(("ERROR_CODE", code))
    }
}
