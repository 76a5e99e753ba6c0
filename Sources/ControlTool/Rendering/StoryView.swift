import JSON
import Platform

/// One story as `storiesctl show` prints it, from its manifest. What a manifest of another version does not have is
/// left out.
struct StoryView {
    let manifest: JSONObject
    /// Where the manifest is on disk, if that is known.
    let path: String?
    let palette: Palette
    /// As of `Table.lines`.
    var columns: Int? = Table.widest
    let now: Timestamp

    var lines: [String] {
        var fields = Fields()
        let state = text("state") ?? ""
        let isSettled = manifest["settled"]?.boolValue == true
        fields.add("Story", text("id"))
        fields.add("Group", text("group").map { isFallback ? "\($0) (not provisioned)" : $0 } ?? "(none)")
        fields.add("State", isSettled ? "\(state), settled" : state, tone: Palette.tone(ofState: state))
        fields.add("Reason", text("fallback_reason"))
        fields.add("Title", alert("title"))
        fields.add("Subtitle", alert("subtitle"))
        fields.add("Body", alert("body"))
        fields.add("Received", moment("received_at"))
        fields.add("Updated", moment("updated_at"))
        fields.add("Revision", manifest["revision"]?.integerValue.map { String($0) })
        fields.add("Manifest", path)
        for skipped in objects("skipped") { fields.add("Skipped", describe(skipped: skipped)) }
        let pages = objects("pages")
        for page in pages { fields.add("Error", describe(errorOf: page), tone: .bad) }
        return fields.lines(palette) + (pages.isEmpty ? [] : [""] + table(pages).lines(palette, columns: columns))
    }

    private var isFallback: Bool { manifest["group_fallback"]?.boolValue == true }

    private func table(_ pages: [JSONObject]) -> Table {
        var table = Table([
            Table.Column(title: "PAGE", isRightAligned: true),
            Table.Column(title: "STATE"),
            Table.Column(title: "TYPE"),
            Table.Column(title: "SIZE", isRightAligned: true),
            Table.Column(title: "PIXELS", isRightAligned: true),
            Table.Column(title: "SOURCE"),
            Table.Column(title: "IMAGE", least: 20),
        ])
        for page in pages {
            let state = page["state"]?.stringValue ?? ""
            table.append([
                Table.Cell(number(page, "index") ?? ""),
                Table.Cell(state, tone: Palette.tone(ofState: state)),
                Table.Cell(type(page)),
                Table.Cell(size(page)),
                Table.Cell(pixels(page)),
                Table.Cell(page["source"]?.stringValue ?? ""),
                Table.Cell(errorCode(page) ?? page["image_url"]?.stringValue ?? ""),
            ])
        }
        return table
    }

    private func type(_ page: JSONObject) -> String {
        let type = page["media_type"]?.stringValue ?? ""
        return type.hasPrefix("image/") ? String(type.dropFirst("image/".count)) : type
    }

    private func size(_ page: JSONObject) -> String {
        page["bytes"]?.integerValue.map { Figures.size(Int($0)) } ?? ""
    }

    private func pixels(_ page: JSONObject) -> String {
        guard let width = number(page, "width"), let height = number(page, "height") else { return "" }
        return "\(width)×\(height)"
    }

    private func errorCode(_ page: JSONObject) -> String? { page["error"]?.objectValue?["code"]?.stringValue }

    /// Nil for a page without an error.
    private func describe(errorOf page: JSONObject) -> String? {
        guard let code = errorCode(page) else { return nil }
        let message = page["error"]?.objectValue?["message"]?.stringValue ?? ""
        return "page \(number(page, "index") ?? "?"): \(message.isEmpty ? code : "\(code): \(message)")"
    }

    private func describe(skipped: JSONObject) -> String {
        let message = skipped["message"]?.stringValue ?? skipped["code"]?.stringValue ?? ""
        return number(skipped, "index").map { "page \($0): \(message)" } ?? message
    }

    private func text(_ key: String) -> String? { manifest[key]?.stringValue }

    private func alert(_ key: String) -> String? { manifest["alert"]?.objectValue?[key]?.stringValue }

    private func moment(_ key: String) -> String? {
        text(key).map { text in
            Timestamp(text).map { "\(Figures.age(of: $0, now: now)) (\(text))" } ?? text
        }
    }

    private func objects(_ key: String) -> [JSONObject] {
        manifest[key]?.arrayValue?.compactMap(\.objectValue) ?? []
    }

    private func number(_ object: JSONObject, _ key: String) -> String? {
        object[key]?.integerValue.map { String($0) }
    }
}
