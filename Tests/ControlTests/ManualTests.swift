import Foundation
import TestSupport
import Testing

@testable import ControlTool

@Suite("Completions and manual pages against the tables", .timeLimit(.minutes(1)))
struct ManualTests {
    private static let config = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "config")

    private func file(_ name: String) throws -> String {
        try String(contentsOf: Self.config.appending(path: name), encoding: .utf8)
    }

    /// What bash proposes for the last of these words.
    private func proposed(_ words: String...) async throws -> Set<String> {
        let script = """
            source '\(Self.config.path)/completions/storiesctl.bash'
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _storiesctl; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let program = try await RunningProgram.run("/bin/bash", ["-c", script, "bash", "storiesctl"] + words)
        return Set(String(decoding: program.output, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    @Test("bash proposes the commands, and behind each its options and what it takes")
    func bash() async throws {
        let first = Set(CommandForm.all.map(\.name).filter { !$0.contains(" ") })
        #expect(try await proposed("") == first)
        #expect(try await proposed("--socket", "/s", "--json", "") == first)
        #expect(try await proposed("pre") == ["prefetch"])
        #expect(try await proposed("groups", "") == ["add"])
        for form in CommandForm.all {
            let words = form.name.split(separator: " ").map(String.init)
            let options = Set((OptionForm.global + form.options).map(\.name))
            let program =
                words.count == 1 ? try await proposed(words[0], "--") : try await proposed(words[0], words[1], "--")
            #expect(program == options, "\(form.name)")
        }
        #expect(try await proposed("list", "--state", "p") == ["prefetching", "partial"])
        #expect(try await proposed("list", "--state", "=", "p") == ["prefetching", "partial"])
        #expect(try await proposed("list", "--group", "") == [])
        #expect(try await proposed("evict", "--to", "=", "5M", "--o") == ["--older-than"])
    }

    @Test("fish has a line for each command and each option, in the same words, and no other")
    func fish() throws {
        func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "\\'"))'" }
        var expected = Set(["complete -c storiesctl -f", "complete -c storiesctl -n '__storiesctl_at prefetch' -F"])
        for option in OptionForm.global {
            let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
            let value = option.value == nil ? "" : " -r -F"
            expected.insert(
                "complete -c storiesctl\(short) -l \(option.name.dropFirst(2))\(value) -d \(quoted(option.summary))")
        }
        for form in CommandForm.all {
            let words = form.name.split(separator: " ")
            let place = (["__storiesctl_at"] + words.dropLast()).joined(separator: " ")
            expected.insert("complete -c storiesctl -n '\(place)' -a \(words.last ?? "") -d \(quoted(form.summary))")
            for option in form.options {
                var line = "complete -c storiesctl -n '__storiesctl_at \(form.name)' -l \(option.name.dropFirst(2))"
                if option.value != nil, !option.isValueOptional { line += " -x" }
                if option.name == "--state" { line += " -a '\(option.summary.replacing(",", with: ""))'" }
                expected.insert("\(line) -d \(quoted(option.summary))")
            }
        }
        let lines = try file("completions/storiesctl.fish").split(separator: "\n").map(String.init)
        #expect(Set(lines.filter { $0.hasPrefix("complete ") }) == expected)
    }

    @Test("fish proposes what fits the words before")
    func fishProposals() async throws {
        for (line, expected) in [
            ("storiesctl --socket /s pre", ["prefetch"]), ("storiesctl groups ", ["add"]),
            ("storiesctl evict --o", ["--older-than"]), ("storiesctl list --state pa", ["partial"]),
            ("storiesctl show --w", []),
        ] {
            let script = "source '\(Self.config.path)/completions/storiesctl.fish'; complete -C '\(line)'"
            let home = try TemporaryDirectory()
            let shell = try await RunningProgram.run(
                "/usr/bin/fish", ["--no-config", "-c", script], environment: ["HOME": home.path])
            let proposed = String(decoding: shell.output, as: UTF8.self).split(separator: "\n").map {
                String($0.prefix { $0 != "\t" })
            }
            #expect(proposed == expected, "\(line)")
        }
    }

    @Test("zsh knows each command and each option")
    func zsh() throws {
        let text = try file("completions/_storiesctl")
        for form in CommandForm.all {
            #expect(text.contains("'\(form.name.split(separator: " ").last ?? ""):\(form.summary)'"), "\(form.name)")
            guard !form.options.isEmpty else { continue }
            let block = try #require(text.components(separatedBy: "        \(form.name))").dropFirst().first)
                .components(separatedBy: ";;")[0]
            for option in form.options {
                // What several commands have alike is written once.
                let isShared = text.contains("local group=\"--group=[\(option.summary)]") && block.contains("$group")
                #expect(isShared || block.contains("\(option.name)=") && block.contains("[\(option.summary)]"))
            }
        }
        for option in OptionForm.global { #expect(text.contains(option.name)) }
    }

    @Test("The shells can read their completions", arguments: [("zsh", "_storiesctl"), ("fish", "storiesctl.fish")])
    func syntax(shell: String, name: String) async throws {
        // bash runs its own above.
        try await TestSupport.Tool.run(
            "/usr/bin/\(shell)", ["-n", Self.config.appending(path: "completions/\(name)").path])
    }

    @Test("storiesctl(1) explains each command with exactly its options")
    func manual() throws {
        let text = try file("man/storiesctl.1")
        let commands = text.components(separatedBy: ".Sh COMMANDS")[1].components(separatedBy: ".Sh ")[0]
        let items = commands.components(separatedBy: "\n.It Cm ").dropFirst()
        let expected = CommandForm.all.map { ([$0.name] + $0.operands.map { "Ar \($0)" }).joined(separator: " ") }
        #expect(items.map { $0.prefix { $0 != "\n" } } == expected.map { $0[...] })
        for (form, item) in zip(CommandForm.all, items) {
            let options = form.options.map { option in
                let value = option.value ?? ""
                let word = "Fl -\(option.name.dropFirst(2))"
                return option.isValueOptional ? "\(word) Ns Op Ns = Ns Ar \(value)" : "\(word) Ar \(value)"
            }
            let found = item.split(separator: "\n").filter { $0.hasPrefix(".It Fl") }.map { String($0.dropFirst(4)) }
            #expect(found == options, "\(form.name)")
        }
        for option in OptionForm.global {
            #expect(text.contains(".It Fl \(option.short == nil ? "" : "h , Fl ")-\(option.name.dropFirst(2))"))
        }
        for code in [0, 1, 2, 3, 4, 5] { #expect(text.contains("\n.It \(code)\n")) }
    }

    @Test("storiesd.json5(5) explains each key as the documented file does, in its order")
    func keys() throws {
        var (section, comment, expected) = ("", [String](), [String]())
        let documented = try file("storiesd.json5").components(separatedBy: "\n{\n")[1]
        for line in documented.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("//") {
                comment.append(String(line.dropFirst(3)))
            } else if line.hasSuffix(": {") {
                section = line.replacing(": {", with: ".")
            } else if let colon = line.firstIndex(of: ":") {
                let rule = comment.popLast() ?? ""
                var value = line[line.index(colon, offsetBy: 2)...]
                if value.hasSuffix(",") { value.removeLast() }
                expected.append(
                    "\(section)\(line[..<colon]) \(comment.joined(separator: " ")) Value: \(rule). Default: \(value)")
                comment = []
            }
        }
        let list = try file("man/storiesd.json5.5").components(separatedBy: ".Sh KEYS")[1]
            .components(separatedBy: "\n.El")[0]
        let items = list.components(separatedBy: "\n.It Cm ").dropFirst().map { item in
            item.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(items == expected && items.count > 30)
    }

    @Test("The manual pages are sound", arguments: ["storiesctl.1", "storiesd.8", "storiesd.json5.5"])
    func lint(page: String) async throws {
        let path = Self.config.appending(path: "man/\(page)").path
        try await TestSupport.Tool.run("/usr/bin/mandoc", ["-Tlint", "-Wwarning", path])
    }
}
