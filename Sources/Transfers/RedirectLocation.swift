import Addresses
import CCurl

/// Where a Location header leads.
enum RedirectLocation {
    /// The absolute URL that `location` means on a page of `base` (RFC 3986, section 5); nil where there is none.
    ///
    /// A location with a scheme of its own is returned as it is, whatever the scheme: judging it is `WebURL`'s part.
    static func resolve(_ location: String, from base: WebURL) -> String? {
        if hasScheme(location) { return location }
        if location.utf8.starts(with: "//".utf8) { return "\(base.scheme.rawValue):\(location)" }
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_set(handle, CURLUPART_URL, base.request, 0) == CURLUE_OK,
            curl_url_set(handle, CURLUPART_URL, escaped(location), 0) == CURLUE_OK,
            curl_url_get(handle, CURLUPART_URL, &text, 0) == CURLUE_OK, let text
        else { return nil }
        defer { curl_free(text) }
        // SAFETY: after CURLUE_OK `text` is a NUL-terminated string of ours until curl_free(3), which runs later.
        return String(cString: text)
    }

    /// What may stand in no URL, as escapes: libcurl would write a space as `+`.
    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte in
            0x21...0x7e ~= byte ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hasScheme(_ text: String) -> Bool {
        let name = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard name.count < text.utf8.count, let first = name.first else { return false }
        func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
        return isLetter(first) && name.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
    }
}
