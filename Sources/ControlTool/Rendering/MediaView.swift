import ControlAPI
import Platform

/// What the cache knows of a URL, as `storiesctl lookup` prints it.
struct MediaView {
    let report: MediaReport
    let palette: Palette
    let now: Timestamp

    var lines: [String] {
        var fields = Fields()
        fields.add("URL", report.url)
        fields.add("State", report.state.rawValue, tone: Palette.tone(ofState: report.state.rawValue))
        if let object = report.object {
            fields.add(
                "Picture", "\(object.mediaType), \(object.width)×\(object.height), \(Figures.size(object.bytes))")
            fields.add("File", object.file)
        }
        fields.add("ETag", report.etag)
        fields.add("Modified", report.lastModified)
        fields.add("Obtained", moment(report.obtainedAt))
        fields.add("Fresh until", moment(report.freshUntil))
        for group in report.groups { fields.add("Group", group ?? "(none)") }
        for story in report.stories { fields.add("Story", story.id + (story.group.map { " of \($0)" } ?? "")) }
        return fields.lines(palette)
    }

    private func moment(_ text: String?) -> String? {
        text.map { text in Timestamp(text).map { "\(Figures.age(of: $0, now: now)) (\(text))" } ?? text }
    }
}
