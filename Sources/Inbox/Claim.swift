package import Platform
package import Stories

/// A payload that the inbox has claimed: it is the receiver's alone until answered by `accept`, `reject` or `putBack`.
package struct Claim: Sendable {
    /// Its unique name among the claims: the same again after a restart.
    package let name: String
    /// The name it was dropped under, for messages.
    package let payloadName: String
    package let group: GroupID?
    /// Its content, at most `payloadBytes` of it; form unchecked.
    package let bytes: [UInt8]
    /// When it was claimed first.
    package let claimedAt: Timestamp

    package init(name: String, payloadName: String, group: GroupID?, bytes: [UInt8], claimedAt: Timestamp) {
        self.name = name
        self.payloadName = payloadName
        self.group = group
        self.bytes = bytes
        self.claimedAt = claimedAt
    }
}
