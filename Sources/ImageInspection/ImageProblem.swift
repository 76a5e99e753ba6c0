/// Why a body is not taken for a picture. Each carries a few words for people.
package enum ImageProblem: Error, Equatable, Sendable {
    /// HTML, text, something unknown, or a header that describes no picture; the words say what was found.
    case notImage(String)
    /// Something well known that is no picture we handle; the words are its media type, such as `video/mp4`.
    case unsupported(String)
    /// A picture that is cut or damaged; the words say what is missing or wrong.
    case incomplete(String)

    /// A whole sentence.
    package var message: String {
        switch self {
        case .notImage(let found): "The body is not a picture: \(found)."
        case .unsupported(let mediaType): "The body is of a type that is not supported: \(mediaType)."
        case .incomplete(let missing): "The picture is incomplete: \(missing)."
        }
    }
}
