/// What an element of `pages` came to.
enum ParsedPage {
    case page(Page)
    case skipped(SkippedPage)
}
