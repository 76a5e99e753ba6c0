package import ImageInspection

extension Configuration {
    /// How large and of what kind things from outside may be: the section `limits`.
    package struct Limits: Sendable, Equatable {
        package internal(set) var payloadBytes = 262_144
        package internal(set) var pages = 100
        package internal(set) var urlBytes = 8192
        package internal(set) var imageBytes = 33_554_432
        package internal(set) var imagePixels = 50_000_000
        package internal(set) var imageTypes: [ImageType] = [.jpeg, .png, .gif, .webp, .avif, .heic]
    }
}
