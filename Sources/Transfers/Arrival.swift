/// What a transfer that succeeded has brought.
package enum Arrival: Sendable, Equatable {
    case picture(Download)
    /// What the request's validators stand for still holds (304); the head may say anew for how long.
    case unchanged(ResponseMetadata)
}
