internal import Addresses
internal import Hashing
internal import JSON
internal import Platform

extension ManifestPage {
    /// One flat object, so that a player has all of a page in one place.
    var json: JSONObject {
        let image = state.image
        return [
            "index": JSONValue(page.index),
            "image_url": .string(page.imageURL),
            "duration": .number(page.duration),
            "link": JSONValue(page.link),
            "button_title": JSONValue(page.buttonTitle),
            "title": JSONValue(page.title),
            "subtitle": JSONValue(page.subtitle),
            "state": .string(state.name),
            "file": JSONValue(image?.file),
            "bytes": JSONValue(image?.bytes),
            "media_type": JSONValue(image?.mediaType),
            "width": JSONValue(image?.width),
            "height": JSONValue(image?.height),
            "frames": JSONValue(image?.frames),
            "xxh3_128": JSONValue(image?.contentID.hex),
            "source": JSONValue(image?.source.rawValue),
            "attempts": JSONValue(attempts),
            "error": state.error.map { .object($0.json) } ?? .null,
        ]
    }

    init(_ reader: ManifestReader) throws(ManifestError) {
        page = try Page(reader)
        attempts = try reader.integer("attempts")
        let error: PageError? =
            if let reader = try reader.optionalReader("error") { try PageError(reader) } else { nil }
        switch (try reader.string("state"), error) {
        case ("pending", let error): state = .pending(after: error)
        case ("cached", nil): state = .cached(try CachedImage(reader))
        case ("failed", let error?): state = .failed(error)
        default: throw reader.error("state")
        }
    }
}

extension Page {
    /// The configured limits held when the payload was read; what they are now decides nothing here.
    fileprivate init(_ reader: ManifestReader) throws(ManifestError) {
        let imageURL = try reader.string("image_url")
        let url: WebURL
        do {
            url = try WebURL(imageURL, maximumBytes: .max)
        } catch {
            throw reader.error("image_url")
        }
        let duration = try reader.field { object throws(JSONFieldError) in try object.double("duration") }
        guard duration > 0, duration <= 30 else { throw reader.error("duration") }
        self.init(
            index: try reader.integer("index"), imageURL: imageURL, url: url, duration: duration,
            link: try reader.optionalString("link"), buttonTitle: try reader.optionalString("button_title"),
            title: try reader.optionalString("title"), subtitle: try reader.optionalString("subtitle"))
    }
}

extension CachedImage {
    fileprivate init(_ reader: ManifestReader) throws(ManifestError) {
        let contentID = try reader.value("xxh3_128") { ContentID(hex: $0) }
        self.init(
            contentID: contentID,
            fileExtension: try reader.value("file") { Self.fileExtension(of: $0, contentID: contentID) },
            bytes: try reader.integer("bytes", atLeast: 1), mediaType: try reader.string("media_type"),
            width: try reader.integer("width", atLeast: 1), height: try reader.integer("height", atLeast: 1),
            frames: try reader.integer("frames", atLeast: 1), source: try reader.value("source", PageSource.init))
    }
}

extension PageError {
    fileprivate var json: JSONObject {
        [
            "code": .string(code.rawValue),
            "message": .string(message),
            "http_status": JSONValue(httpStatus),
            "retry_at": JSONValue(retryAt?.description),
        ]
    }

    fileprivate init(_ reader: ManifestReader) throws(ManifestError) {
        let status = try reader.field { object throws(JSONFieldError) in try object.optionalInteger("http_status") }
        self.init(
            try reader.value("code", Code.init), try reader.string("message"), httpStatus: status.map(Int.init),
            retryAt: try reader.optionalValue("retry_at") { Timestamp($0) })
    }
}
