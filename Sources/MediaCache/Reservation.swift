/// What is kept in a container for a partial that is about to be published there. A plain value, owned by `CacheStorage`.
struct Reservation {
    /// Room for its bytes; none where the object is there already.
    let bytes: Int64
    /// Keeps the object that is there already.
    let hold: Hold?
}
