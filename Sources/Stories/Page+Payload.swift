internal import Addresses
internal import JSON

extension Page {
    private static let defaultDuration = 5.0
    private static let longestDuration = 30.0

    /// Reads one element of a block's `pages`. Only the picture is required: each other field that is absent or bad
    /// gets its default, alone.
    static func parse(_ element: JSONValue, index: Int, limits: PayloadLimits) -> ParsedPage {
        func skipped(_ code: SkippedPage.Code, _ message: String) -> ParsedPage {
            .skipped(SkippedPage(index: index, code: code, message: message))
        }
        guard let fields = element.objectValue else { return skipped(.notAnObject, "The page is not an object.") }
        guard let image = text(fields["image"]) else {
            return skipped(.noImage, "\"image\" is absent, empty or not a string.")
        }
        let url: WebURL
        do {
            url = try WebURL(image, maximumBytes: limits.urlBytes, allowHTTP: limits.allowHTTP)
        } catch {
            return skipped(SkippedPage.Code(error), error.description)
        }
        return .page(
            Page(
                index: index, imageURL: image, url: url, duration: duration(fields["duration"]),
                link: link(fields["link"]), buttonTitle: text(fields["button_title"]), title: text(fields["title"]),
                subtitle: text(fields["subtitle"])))
    }

    private static func text(_ value: JSONValue?) -> String? {
        guard let text = value?.stringValue, !text.isEmpty else { return nil }
        return text
    }

    private static func duration(_ value: JSONValue?) -> Double {
        guard let seconds = value?.doubleValue, seconds.isFinite, seconds > 0 else { return defaultDuration }
        return min(seconds, longestDuration)
    }

    /// The link, where it has a scheme that is safe to open. Control characters could hide the scheme from whoever opens
    /// it.
    private static func link(_ value: JSONValue?) -> String? {
        guard let link = value?.stringValue, !link.unicodeScalars.contains(where: isControl),
            let scheme = WebURL.schemeName(of: link), !["javascript", "data", "file"].contains(scheme)
        else { return nil }
        return link
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}

extension SkippedPage.Code {
    fileprivate init(_ problem: WebURL.Problem) {
        switch problem {
        case .bad: self = .badURL
        case .schemeDenied: self = .schemeDenied
        case .tooLong: self = .urlTooLong
        }
    }
}
