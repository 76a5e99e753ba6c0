/// What the `ftyp` box of an ISO media file says it is: a major brand, and all those by whose rules it can be read.
struct FileBrands: Sendable {
    /// The longest list that is read; files have a dozen.
    static let longest: UInt64 = 1024

    enum Kind: Equatable {
        case picture(ImageType)
        case other(String)
        case unknown
    }

    private let major: FourCC
    private let compatible: [FourCC]

    /// The box's content: the major brand, a version, compatible brands.
    init(_ content: Bytes) {
        major = content.code(0)
        compatible = stride(from: 8, to: content.count, by: 4).map { content.code($0) }
    }

    /// The major brand decides where it is known; else, and where it only says "some HEIF", the first compatible
    /// brand that is.
    var kind: Kind {
        if let type = Self.picture(major) { return .picture(type) }
        if let mediaType = Self.other(major) { return .other(mediaType) }
        for brand in compatible {
            if let type = Self.picture(brand) { return .picture(type) }
        }
        if Self.isGeneral(major) { return .other("image/heif") }
        for brand in compatible {
            if let mediaType = Self.other(brand) { return .other(mediaType) }
        }
        return compatible.contains(where: Self.isGeneral) ? .other("image/heif") : .unknown
    }

    /// Whether the file is to be shown as the sequence in its tracks and not as its one picture.
    var isSequence: Bool {
        ["avis", "msf1", "hevc", "hevx"].contains(major)
    }

    private static func picture(_ brand: FourCC) -> ImageType? {
        switch brand {
        case "avif", "avis": .avif
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": .heic
        default: nil
        }
    }

    private static func isGeneral(_ brand: FourCC) -> Bool {
        brand == "mif1" || brand == "msf1" || brand == "mif2"
    }

    private static func other(_ brand: FourCC) -> String? {
        switch brand {
        case "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "avc1", "dash",
            "MSNV", "mmp4", "f4v ", "M4V ", "M4VH", "M4VP", "NDSC", "av01", "hvc1":
            return "video/mp4"
        case "M4A ", "M4B ", "M4P ", "F4A ", "F4B ":
            return "audio/mp4"
        case "qt  ": return "video/quicktime"
        case "crx ": return "image/x-canon-cr3"
        case "jp2 ": return "image/jp2"
        case "jpx ": return "image/jpx"
        default: break
        }
        switch brand.value >> 8 {
        case 0x336770: return "video/3gpp"  // 3gp4, 3gp5, …
        case 0x336732: return "video/3gpp2"  // 3g2a, …
        default: return nil
        }
    }
}
