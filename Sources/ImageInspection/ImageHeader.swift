/// What is known of a picture that is complete: its true type, its size and how many frames it shows.
package struct ImageHeader: Equatable, Sendable {
    package let type: ImageType
    package let size: PixelSize
    /// 1 for a still picture; the pages of a TIFF count as frames.
    package let frames: Int

    /// A header as told by a picture that is whole.
    package init(type: ImageType, size: PixelSize, frames: Int) {
        self.type = type
        self.size = size
        self.frames = frames
    }

    /// In pixels, as stored.
    package var width: Int { size.width }
    /// In pixels, as stored.
    package var height: Int { size.height }
}
