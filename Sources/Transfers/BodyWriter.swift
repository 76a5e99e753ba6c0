import Hashing
import ImageInspection
import Platform
import Stories

/// Takes a body as it arrives: counts it, hashes it, looks at it and writes it to its file, in this order, so that
/// nothing is written of what is already known to be of no use. Keeps none of it in memory. Where the file holds what an
/// earlier transfer left, that is gone on with, or goes with the first byte written. Owned by one hop of one transfer.
struct BodyWriter: ~Copyable {
    private let file: Descriptor
    private let imageBytes: Int64
    private let imagePixels: Int
    private let imageTypes: [ImageType]
    private var hasher = ContentHasher()
    private var inspector = ImageInspector()
    /// Bytes of the body so far, those of the prefix included.
    private(set) var stored: Int64 = 0
    private var mustTruncate: Bool

    /// `prefix`: what the file holds and the body goes on from; nil: the body begins anew, whatever it holds.
    init(_ request: TransferRequest, _ options: TransferOptions, goingOnFrom prefix: BodyPrefix? = nil) {
        mustTruncate = request.resumption != nil && prefix == nil
        if let prefix {
            hasher = prefix.hasher()
            inspector = prefix.inspector
            stored = prefix.bytes
        }
        file = request.body
        imageBytes = options.imageBytes
        imagePixels = options.imagePixels
        imageTypes = options.imageTypes
    }

    /// Takes the next piece. After an error it is of no further use.
    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(TransferFailure) {
        guard Int64(bytes.count) <= imageBytes - stored else { throw .tooLarge(limit: imageBytes) }
        stored += Int64(bytes.count)
        hasher.update(bytes)
        inspector.consume(bytes)
        if let problem = inspector.rejection { throw Self.failure(problem) }
        try check(type: inspector.type, size: inspector.size)
        do throws(SystemError) {
            if mustTruncate { try file.truncate(to: 0) }
            mustTruncate = false
            try file.write(bytes)
        } catch {
            throw Self.failure(error)
        }
    }

    /// The name of what is stored so far.
    var content: ContentID { hasher.digest() }

    /// The body has ended where it should. `response` is what came before it; so many bytes of it were there already.
    func finish(_ response: ResponseMetadata, resumedFrom: Int64) throws(TransferFailure) -> Download {
        guard stored > 0 else { throw TransferFailure(.empty, "The origin answered with an empty body.") }
        switch inspector.finish() {
        case .success(let header):
            try check(type: header.type, size: header.size)
            return Download(
                content: content, bytes: stored, header: header, response: response, resumedFrom: resumedFrom)
        case .failure(.incomplete) where response.isEncoded:
            // libcurl does not tell that a compressed stream had no end, and of the two a cut stream is likelier.
            throw TransferFailure(.encoding, "The compressed body, or the picture in it, ends too early.")
        case .failure(let problem):
            throw Self.failure(problem)
        }
    }

    private func check(type: ImageType?, size: PixelSize?) throws(TransferFailure) {
        if let type, !imageTypes.contains(type) {
            throw TransferFailure(.unsupportedType, "Pictures of the type \(type.mediaType) are not taken.")
        }
        if let size, size.pixels > imagePixels {
            throw TransferFailure(
                .tooManyPixels, "The picture has \(size.width) × \(size.height) pixels; \(imagePixels) are allowed.")
        }
    }

    private static func failure(_ problem: ImageProblem) -> TransferFailure {
        let code: PageError.Code =
            switch problem {
            case .notImage: .notImage
            case .unsupported: .unsupportedType
            case .incomplete: .incompleteImage
            }
        return TransferFailure(code, problem.message)
    }

    private static func failure(_ error: SystemError) -> TransferFailure {
        TransferFailure(error.isNoSpace ? .noSpace : .io, "The picture could not be stored: \(error).")
    }
}

extension ResponseMetadata {
    /// Whether the body was sent in another form than it is stored in.
    var isEncoded: Bool {
        contentEncoding.map { !$0.isEmpty && $0.lowercased() != "identity" } ?? false
    }
}
