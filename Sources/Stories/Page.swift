package import Addresses

/// One picture of a story and what is shown with it; what the payload said, once it is checked.
package struct Page: Sendable {
    /// The place in the payload, from 0; skipped elements count too.
    package let index: Int
    /// The picture's address as the payload has it.
    package let imageURL: String
    /// The same address, checked: what is fetched.
    package let url: WebURL
    /// Seconds on screen before the next page; above 0, at most 30.
    package let duration: Double
    /// The deep link that the button opens. It has a scheme, and none that runs code or reads files.
    package let link: String?
    package let buttonTitle: String?
    package let title: String?
    package let subtitle: String?

    package init(
        index: Int, imageURL: String, url: WebURL, duration: Double, link: String?, buttonTitle: String?,
        title: String?, subtitle: String?
    ) {
        self.index = index
        self.imageURL = imageURL
        self.url = url
        self.duration = duration
        self.link = link
        self.buttonTitle = buttonTitle
        self.title = title
        self.subtitle = subtitle
    }
}
