import ImageInspection
import MediaCache
import Stories
import Transfers

// Where the vocabulary of one module becomes that of the next.

extension CachedImage {
    /// An object, as the manifest tells of it.
    init(_ object: StoredObject, source: PageSource) {
        self.init(
            contentID: object.content, fileExtension: object.header.type.fileExtension, bytes: Int(object.bytes),
            mediaType: object.header.type.mediaType, width: object.header.width, height: object.header.height,
            frames: object.header.frames, source: source)
    }
}

extension StoredObject {
    /// The object that a manifest tells of; nil where its type is none that is known.
    init?(_ image: CachedImage) {
        guard let type = ImageType.allCases.first(where: { $0.mediaType == image.mediaType }),
            let size = PixelSize(width: image.width, height: image.height)
        else { return nil }
        self.init(
            content: image.contentID, header: ImageHeader(type: type, size: size, frames: image.frames),
            bytes: Int64(image.bytes))
    }
}

extension PageError {
    /// What a manifest says of a page whose picture the cache could not keep.
    init(_ failure: CacheFailure) {
        self.init(failure.pageCode, failure.message)
    }
}

extension ResponseHeaders {
    /// What an origin said of how long its answer may be kept.
    init(_ response: ResponseMetadata) {
        self.init(
            cacheControl: response.cacheControl, expires: response.expires, date: response.date, age: response.age,
            lastModified: response.lastModified, etag: response.etag, vary: response.vary)
    }
}

extension PartialNotes {
    /// What is on disk of the download that `key` names.
    init(key: String, _ remains: Remains) {
        self.init(
            key: key, validator: remains.validator, source: remains.source, total: remains.total,
            bytes: remains.bytes, content: remains.content)
    }
}

extension TransferFailure {
    /// Nobody answers there: what is tried again now would end likewise.
    var isUnreachable: Bool {
        switch code {
        case .dns, .connect, .tls, .timeout, .stalled: true
        default: false
        }
    }

    /// The way to the origin failed, not the origin.
    var isNetwork: Bool {
        switch code {
        case .dns, .connect, .connectionLost, .timeout, .stalled: true
        default: false
        }
    }
}
