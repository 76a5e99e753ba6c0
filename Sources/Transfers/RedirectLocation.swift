import Addresses
import CCurl

/// Where a Location header leads.
enum RedirectLocation {
    /// The absolute URL that `location` means on a page of `base` (RFC 3986, section 5); nil where there is none.
    ///
    /// A location with a scheme of its own is returned as it is, whatever the scheme: judging it is `WebURL`'s part.
    static func resolve(_ location: String, from base: WebURL) -> String? {
        if WebURL.schemeName(of: location) != nil { return location }
        if location.utf8.starts(with: "//".utf8) { return "\(base.scheme.rawValue):\(location)" }
        // libcurl would take a fragment alone for the directory. Fragments are never sent, so what is left of it is the
        // page itself.
        if location.isEmpty || location.utf8.first == UInt8(ascii: "#") { return base.request }
        // libcurl would write a space as `+`.
        let reference = PercentEncoding.encoded(location.utf8)
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_set(handle, CURLUPART_URL, base.request, 0) == CURLUE_OK,
            curl_url_set(handle, CURLUPART_URL, reference, 0) == CURLUE_OK,
            curl_url_get(handle, CURLUPART_URL, &text, 0) == CURLUE_OK, let text
        else { return nil }
        defer { curl_free(text) }
        // SAFETY: after CURLUE_OK `text` is a NUL-terminated string of ours until curl_free(3), which runs later.
        return String(cString: text)
    }
}
