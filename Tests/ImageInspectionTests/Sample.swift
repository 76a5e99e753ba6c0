import Foundation
import ImageInspection
import Testing

/// One of the small real files in `Samples`, and what it is known to be.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let header: ImageHeader

    init(_ name: String, _ type: ImageType, _ width: Int, _ height: Int, frames: Int = 1) throws {
        self.name = name
        let size = try #require(PixelSize(width: width, height: height))
        header = ImageHeader(type: type, size: size, frames: frames)
    }

    var testDescription: String { name }

    var bytes: [UInt8] {
        get throws {
            let url = try #require(Bundle.module.url(forResource: "Samples", withExtension: nil))
            return Array(try Data(contentsOf: url.appending(path: name)))
        }
    }

    static var all: [Sample] {
        get throws {
            try [
                Sample("baseline.jpg", .jpeg, 40, 30),
                Sample("progressive.jpg", .jpeg, 40, 30),
                Sample("restarts.jpg", .jpeg, 40, 30),
                Sample("still.png", .png, 40, 30),
                Sample("interlaced.png", .png, 40, 30),
                Sample("animated.png", .png, 40, 30, frames: 3),
                Sample("still.gif", .gif, 40, 30),
                Sample("animated.gif", .gif, 40, 30, frames: 3),
                Sample("lossy.webp", .webp, 40, 30),
                Sample("lossless.webp", .webp, 40, 30),
                Sample("alpha.webp", .webp, 40, 30),
                Sample("animated.webp", .webp, 40, 30, frames: 3),
                Sample("still.avif", .avif, 40, 30),
                Sample("alpha.avif", .avif, 40, 30),
                Sample("sequence.avif", .avif, 40, 30, frames: 3),
                Sample("still.heic", .heic, 130, 90),
                Sample("thumbnail.heic", .heic, 130, 90),
                Sample("core.bmp", .bmp, 9, 7),
                Sample("small.bmp", .bmp, 9, 7),
                Sample("still.tiff", .tiff, 9, 7),
                Sample("pages.tiff", .tiff, 9, 7, frames: 2),
                Sample("drawing.svg", .svg, 144, 72),
                Sample("viewbox.svg", .svg, 24, 12),
                Sample("bare.jxl", .jxl, 40, 30),
                Sample("container.jxl", .jxl, 40, 30),
            ]
        }
    }
}
