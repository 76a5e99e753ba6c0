import Addresses

/// The header fields of one answer that anything here is decided by. A pure value, fed line by line.
struct HeaderFields {
    /// What the head says about where the body ends.
    enum Framing: Equatable {
        /// So many bytes; nil: told by chunks or by the end of the connection.
        case length(Int64?)
        /// A length that no Int64 holds.
        case tooLarge
        /// Two statements that cannot both be true; the words say which.
        case contradiction(String)
    }

    private(set) var metadata = ResponseMetadata()
    private(set) var location: String?
    private(set) var retryAfter: String?
    private var contentType: String?
    private var contentRanges: [String] = []
    private var acceptRanges: String?
    private var lengths: [String] = []
    private var hasTransferEncoding = false

    /// Takes one line without its line break; what is no field is passed over.
    mutating func take(_ line: Slice<UnsafeRawBufferPointer>) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let value = line[line.index(after: colon)...]
        switch name {
        case "content-length": lengths.append(Self.text(value))
        case "content-type": contentType = contentType ?? Self.text(value)
        case "content-range": contentRanges.append(Self.text(value))
        case "accept-ranges": Self.append(Self.text(value), to: &acceptRanges)
        case "transfer-encoding": hasTransferEncoding = true
        case "location": location = location ?? Self.address(value)
        case "retry-after": retryAfter = retryAfter ?? Self.text(value)
        case "etag": metadata.etag = metadata.etag ?? Self.text(value)
        case "last-modified": metadata.lastModified = metadata.lastModified ?? Self.text(value)
        case "expires": metadata.expires = metadata.expires ?? Self.text(value)
        case "date": metadata.date = metadata.date ?? Self.text(value)
        case "age": metadata.age = metadata.age ?? Self.text(value)
        case "cache-control": Self.append(Self.text(value), to: &metadata.cacheControl)
        case "vary": Self.append(Self.text(value), to: &metadata.vary)
        case "content-encoding": Self.append(Self.text(value), to: &metadata.contentEncoding)
        default: break
        }
    }

    /// RFC 9112, section 6.3; stricter in one way: a length beside a transfer encoding is not overruled but refused.
    var framing: Framing {
        // Several lines are one list, and a list of equal lengths is one length (RFC 9110, section 8.6).
        let values = Set(
            lengths.flatMap { length in
                length.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Self.text)
            })
        guard let value = values.first else { return .length(nil) }
        if hasTransferEncoding { return .contradiction("The answer has a length beside a transfer encoding.") }
        if values.count > 1 { return .contradiction("The answer has several lengths.") }
        guard !value.isEmpty, value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return .contradiction("The length of the answer is no number.")
        }
        return Int64(value).map { .length($0) } ?? .tooLarge
    }

    /// Which part the body is; nil where that is not told, or told twice.
    var contentRange: ContentRange? { contentRanges.count == 1 ? ContentRange(contentRanges[0]) : nil }

    /// Whether the body is several parts, each with a head of its own.
    var isMultipart: Bool { contentType?.lowercased().hasPrefix("multipart/") ?? false }

    /// What the rest of the body could be asked for with, should it break off; nil where the origin gives no parts, or
    /// the parts would be of another form than what is stored.
    var resumptionValidator: StrongValidator? {
        guard !metadata.isEncoded, acceptRanges?.lowercased() != "none" else { return nil }
        return StrongValidator(metadata)
    }

    private static func append(_ value: String, to list: inout String?) {
        list = list.map { "\($0), \(value)" } ?? value
    }

    /// A value without the spaces around it.
    private static func text(_ value: some BidirectionalCollection<UInt8>) -> String {
        String(decoding: trimmed(value), as: UTF8.self)
    }

    /// A URL in a header is ASCII, by rights; UTF-8 is taken, and other bytes as the escapes they stand for.
    private static func address(_ value: Slice<UnsafeRawBufferPointer>) -> String {
        let value = trimmed(value)
        return String(validating: value, as: UTF8.self) ?? PercentEncoding.encoded(value)
    }

    private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let rest = bytes.drop(while: isSpace)
        let end = rest.lastIndex { !isSpace($0) }.map { rest.index(after: $0) } ?? rest.startIndex
        return rest[..<end]
    }
}
