import ControlAPI

/// The groups and their containers, a row each.
enum GroupTable {
    static func table(_ groups: [StatusReport.Group]) -> Table {
        var table = Table([
            Table.Column(title: "GROUP", least: 12),
            Table.Column(title: "STORIES", isRightAligned: true),
            Table.Column(title: "OBJECTS", isRightAligned: true),
            Table.Column(title: "SIZE", isRightAligned: true),
            Table.Column(title: "CONTAINER", least: 20),
        ])
        for group in groups {
            table.append([
                Table.Cell(group.id ?? "(none)"), "\(group.stories)", "\(group.objects)",
                Table.Cell(Figures.size(group.bytes)),
                Table.Cell(group.container, tone: group.fallback && group.id != nil ? .warning : .plain),
            ])
        }
        return table
    }
}
