import CCurl

/// A date as headers have it (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// Seconds since the epoch; nil for what is no date.
    static func seconds(_ text: String) -> Int64? {
        // curl_getdate(3) reads much that is no date; every HTTP date begins with the name of a day.
        guard let first = text.utf8.first, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first else { return nil }
        let seconds = curl_getdate(text, nil)
        return seconds >= 0 ? Int64(seconds) : nil
    }
}
