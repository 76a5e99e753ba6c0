/// The sizes that an AVIF or HEIC file's `ipco` box lists, and which of them is the primary picture's. The others are
/// those of thumbnails and tiles.
struct ItemProperties: Sendable {
    /// How many sizes are kept. Files have a handful.
    private static let most = 256

    /// By the place of the property in `ipco`, from 1.
    private var sizes: [Int: PixelSize] = [:]
    private var largest: PixelSize?
    private var primaryItem: UInt64?
    private var primary: PixelSize?
    private var count = 0

    /// The primary picture's size; the largest of all where the file does not say, or only too late, which that is.
    var size: PixelSize? { primary ?? largest }

    /// Another property has begun.
    mutating func beginProperty() {
        count += 1
    }

    /// The content of the property `ispe` that has begun: version and flags, width, height.
    mutating func takeSize(_ content: Bytes) {
        guard let size = PixelSize(width: Int(content.big(4, 4)), height: Int(content.big(8, 4))) else { return }
        if sizes.count < Self.most { sizes[count] = size }
        if size.pixels > largest?.pixels ?? 0 { largest = size }
    }

    /// The content of `pitm`: version and flags, the primary item's number.
    mutating func takePrimaryItem(_ content: Bytes) {
        primaryItem = content[0] == 0 ? content.big(4, 2) : content.big(4, 4)
    }

    /// The content of `ipma`, which tells the properties of each item.
    mutating func takeAssociations(_ content: Bytes) {
        guard let primaryItem else { return }
        let itemLength = content[0] == 0 ? 2 : 4
        // The first bit of each says whether the property is essential.
        let indexLength = content[3] & 1 == 0 ? 1 : 2
        let mask: UInt64 = indexLength == 1 ? 0x7F : 0x7FFF
        var place = 8
        for _ in 0..<content.big(4, 4) {
            guard place < content.count else { return }
            let item = content.big(place, itemLength)
            let associations = Int(content[place + itemLength])
            place += itemLength + 1
            if item == primaryItem {
                for index in 0..<associations {
                    let property = Int(content.big(place + index * indexLength, indexLength) & mask)
                    if let size = sizes[property] { primary = size }
                }
                return
            }
            place += associations * indexLength
        }
    }
}
