package import Hashing
package import JSON

extension JSONObject {
    /// The name of what it says: equal for equal dictionaries, whatever the order and spelling of their JSON.
    package var contentID: ContentID {
        ContentID.of(JSONValue.object(self).serializedBytes(.compact, sortedKeys: true))
    }
}
