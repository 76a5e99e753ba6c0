/// Width and height of a picture in pixels, as stored: before any orientation is applied. Both are at least 1 and
/// may be as large as the format's header can say.
package struct PixelSize: Equatable, Sendable {
    package let width: Int
    package let height: Int

    /// Nil where a side is not positive: such a header describes no picture.
    package init?(width: Int, height: Int) {
        guard width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }

    /// The number of pixels; `Int.max` where it would be larger still.
    package var pixels: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }
}
