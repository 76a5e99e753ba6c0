import Metrics
import Testing

struct MetricsTextTests {
    private func text(_ families: MetricFamily...) -> String {
        String(decoding: MetricsText.bytes(families), as: UTF8.self)
    }

    @Test func `a metric is told with its help, its type and its value`() {
        #expect(
            text(.counter("storiesd_a_total", "What grows.", 5), .gauge("storiesd_b_seconds", "What varies.", -1.5))
                == """
                # HELP storiesd_a_total What grows.
                # TYPE storiesd_a_total counter
                storiesd_a_total 5
                # HELP storiesd_b_seconds What varies.
                # TYPE storiesd_b_seconds gauge
                storiesd_b_seconds -1.5

                """)
    }

    @Test func `each value of a label has a line of its own, in order`() {
        #expect(
            text(.gauge("storiesd_state", "The state.", by: "state", [("running", 1), ("degraded", 0)])) == """
                # HELP storiesd_state The state.
                # TYPE storiesd_state gauge
                storiesd_state{state="running"} 1
                storiesd_state{state="degraded"} 0

                """)
    }

    @Test func `what would end a line or a label is escaped`() {
        let family = MetricFamily.counter(
            "storiesd_a_total", #"A \ and "quotes""# + "\nand\r\nlines.", by: "word",
            [(#"a\b"c"# + "\n\r\nd", 1)])
        let lines = text(family).split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(lines[0] == #"# HELP storiesd_a_total A \\ and "quotes"\nand"# + "\r" + #"\nlines."#)
        #expect(lines[2] == #"storiesd_a_total{word="a\\b\"c\n"# + "\r" + #"\nd"} 1"#)
    }

    @Test(arguments: [
        (0, "0"), (-0.0, "0"), (1, "1"), (0.1, "0.1"), (1e-9, "1e-09"), (1_767_323_045.678, "1767323045.678"),
        (1_125_899_906_842_624, "1125899906842624"), (1e300, "1e+300"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
        (.nan, "NaN"),
    ])
    func `numbers are told as the format has them`(value: Double, expected: String) {
        #expect(text(.gauge("storiesd_a", "A.", value)).hasSuffix("storiesd_a \(expected)\n"))
    }

    @Test func `a histogram tells cumulative buckets, the sum and the count`() {
        var histogram = Histogram()
        for milliseconds in [5, 6, 500, 200_000] { histogram.observe(.milliseconds(milliseconds)) }
        #expect(
            text(.histogram("storiesd_a_seconds", "How long.", histogram)) == """
                # HELP storiesd_a_seconds How long.
                # TYPE storiesd_a_seconds histogram
                storiesd_a_seconds_bucket{le="0.005"} 1
                storiesd_a_seconds_bucket{le="0.01"} 2
                storiesd_a_seconds_bucket{le="0.025"} 2
                storiesd_a_seconds_bucket{le="0.05"} 2
                storiesd_a_seconds_bucket{le="0.1"} 2
                storiesd_a_seconds_bucket{le="0.25"} 2
                storiesd_a_seconds_bucket{le="0.5"} 3
                storiesd_a_seconds_bucket{le="1"} 3
                storiesd_a_seconds_bucket{le="2.5"} 3
                storiesd_a_seconds_bucket{le="5"} 3
                storiesd_a_seconds_bucket{le="10"} 3
                storiesd_a_seconds_bucket{le="30"} 3
                storiesd_a_seconds_bucket{le="60"} 3
                storiesd_a_seconds_bucket{le="120"} 3
                storiesd_a_seconds_bucket{le="+Inf"} 4
                storiesd_a_seconds_sum 200.511
                storiesd_a_seconds_count 4

                """)
    }

    @Test func `a duration that a clock has got wrong never lowers the sum`() {
        var histogram = Histogram()
        histogram.observe(.seconds(2))
        histogram.observe(.seconds(-1))
        #expect(histogram.sum == 2 && histogram.count == 2)
    }
}
