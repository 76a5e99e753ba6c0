/// A name that was not found, or could not be looked up; with the words of gai_strerror(3).
struct LookupFailure: Error, Equatable {
    let message: String
}
