import Glibc
import TestSupport
import Testing

@testable import Platform

struct LineOutputTests {
    private let reader: Descriptor
    private let writer: Descriptor

    init() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        try checked("pipe") { pipe(&ends) }
        (reader, writer) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
        try checked("fcntl") { fcntl(reader.raw, F_SETFL, O_NONBLOCK) }
    }

    private func written() -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(reader.raw, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func `a line of any length is written whole`() {
        let line = String(repeating: "x", count: 20_000)
        LineOutput(writer.raw).write(line) { "<6>\($0)" }
        #expect(written() == "<6>\(line)\n")
    }

    @Test func `a pipe that is full, though it would wait, loses lines, and then tells how many`() {
        let output = LineOutput(writer.raw)
        let line = String(repeating: "x", count: 4095)
        // 16 of them are what a pipe holds.
        for _ in 0..<20 { output.write(line) { $0 } }
        #expect(written() == String(repeating: "\(line)\n", count: 16))
        output.write("here again") { "<6>\($0)" }
        output.write("as before") { "<6>\($0)" }
        #expect(written() == "<6>4 lines before this one could not be written here\n<6>here again\n<6>as before\n")
    }

    @Test func `a descriptor that is closed or has no reader is no reason to stop`() throws {
        LineOutput(-1).write("lost") { $0 }
        LineOutput(99_999).write("lost") { $0 }
        var ends: [Int32] = [0, 0]
        try checked("pipe") { pipe(&ends) }
        close(ends[0])
        LineOutput(ends[1]).write("lost") { $0 }
        close(ends[1])
    }
}
