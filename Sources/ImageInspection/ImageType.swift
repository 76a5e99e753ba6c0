/// The kinds of picture that are told apart by their bytes. What a server says of the type plays no part.
package enum ImageType: String, CaseIterable, Sendable {
    case jpeg, png, gif, webp, avif, heic, bmp, tiff, svg, jxl

    /// The registered media type, as an Accept header or a manifest writes it.
    package var mediaType: String {
        switch self {
        case .svg: "image/svg+xml"
        default: "image/" + rawValue
        }
    }

    /// The usual ending of a file's name, without the dot.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        default: rawValue
        }
    }
}
