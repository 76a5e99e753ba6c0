/// The size of an SVG in CSS pixels, from its root's `width`, `height` and `viewBox` as browsers read them: a side
/// that is not told in absolute units comes from the view box's proportions, and where nothing is told, it is
/// 300 by 150.
struct SVGDimensions: Sendable {
    private var width: Double?
    private var height: Double?
    private var viewBox: (width: Double, height: Double)?

    mutating func take(attribute: [UInt8], value: [UInt8]) {
        let value = String(decoding: value, as: UTF8.self)
        switch String(decoding: attribute, as: UTF8.self) {
        case "width": width = Self.length(value)
        case "height": height = Self.length(value)
        case "viewBox":
            let numbers = value.split { $0.isWhitespace || $0 == "," }.map { Double($0) ?? .nan }
            guard numbers.count == 4, Self.isSide(numbers[2]), Self.isSide(numbers[3]) else { return }
            viewBox = (numbers[2], numbers[3])
        default: break
        }
    }

    /// Nil where a side is told to be 0 or less.
    var size: PixelSize? {
        let sides: (Double, Double)
        switch (width, height, viewBox) {
        case (let width?, let height?, _): sides = (width, height)
        case (let width?, nil, let box?): sides = (width, width * box.height / box.width)
        case (nil, let height?, let box?): sides = (height * box.width / box.height, height)
        case (nil, nil, let box?): sides = box
        default: sides = (width ?? 300, height ?? 150)
        }
        return PixelSize(width: Self.pixels(sides.0), height: Self.pixels(sides.1))
    }

    /// A length in CSS pixels; nil where it is no absolute length.
    private static func length(_ text: String) -> Double? {
        let text = text.drop(while: \.isWhitespace)
        let units: [(String, Double)] = [
            ("px", 1), ("in", 96), ("cm", 96 / 2.54), ("mm", 96 / 25.4), ("pt", 96.0 / 72), ("pc", 16), ("", 1),
        ]
        var number = text
        while number.last?.isWhitespace == true { number.removeLast() }
        for (unit, pixels) in units where number.hasSuffix(unit) {
            guard let value = Double(number.dropLast(unit.count)), value.isFinite else { return nil }
            return value * pixels
        }
        return nil
    }

    private static func isSide(_ value: Double) -> Bool { value.isFinite && value > 0 }

    /// Whole pixels; at least 1 of what is more than 0, and bounded so that no number is too large for an `Int`.
    private static func pixels(_ side: Double) -> Int {
        guard side > 0 else { return 0 }
        // Half a pixel more and the fraction cut off: `rounded()` would need the C library's mathematics.
        return max(1, Int(min(side + 0.5, 2_147_483_648)))
    }
}
