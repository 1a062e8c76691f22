import Harness

/// The medians over all rounds, side by side.
struct Report {
    private struct Line: Sendable {
        let name: String
        let title: String
        let value: @Sendable (Round) -> Double
    }

    private static let lines = [
        Line(name: "rate", title: "ticks a second") { $0.rate },
        Line(name: "cpu_us", title: "CPU a tick, µs") { $0.cpu },
        Line(name: "late_percent", title: "1 ms late or more where made, %") { $0.lateShare * 100 },
        Line(name: "arrival_median_us", title: "late on arrival, median, µs") { $0.arrival.median },
        Line(name: "arrival_p99_us", title: "late on arrival, p99, µs") { $0.arrival.p99 },
        Line(name: "get_median_us", title: "Get meanwhile, median, µs") { $0.get.median },
        Line(name: "get_p99_us", title: "Get meanwhile, p99, µs") { $0.get.p99 },
        Line(name: "resident_kib", title: "memory, KiB") { Double($0.memory.resident) },
        Line(name: "anonymous_kib", title: "of it anonymous, KiB") { Double($0.memory.anonymous) },
        Line(name: "missed", title: "ticks overtaken") { Double($0.missed) },
    ]

    private let options: Options
    private let rounds: [Service: [Round]]

    init(_ options: Options, _ rounds: [Service: [Round]]) {
        self.options = options
        self.rounds = rounds
    }

    func print() {
        if options.isJSON { printJSON() } else { printTable() }
    }

    private func median(_ service: Service, _ line: Line) -> Double {
        var samples = Samples()
        for round in rounds[service] ?? [] { samples.add(line.value(round)) }
        return samples.median
    }

    private func printTable() {
        Swift.print(
            "\(options.count) countdowns, a tick each \(options.period) ms, \(options.isAligned ? "aligned" : "spread"); "
                + "medians of \(options.rounds) rounds of \(options.seconds) s")
        Swift.print(Self.padded("", 34) + Service.allCases.map { Self.padded($0.rawValue, 18) }.joined())
        for line in Self.lines {
            let values = Service.allCases.map { Self.padded(Self.text(median($0, line)), 18) }
            Swift.print(Self.padded(line.title, 34) + values.joined())
        }
        if let cpu = Self.lines.first(where: { $0.name == "cpu_us" }) {
            Swift.print("CPU: \(Self.text(median(.daemon, cpu) / median(.peer, cpu))) times the peer's")
        }
    }

    private func printJSON() {
        let services = Service.allCases.map { service in
            let fields = Self.lines.map { "\"\($0.name)\": \(Self.text(median(service, $0)))" }
            return "\"\(service)\": {\(fields.joined(separator: ", "))}"
        }
        Swift.print(
            "{\"count\": \(options.count), \"period_ms\": \(options.period), \"aligned\": \(options.isAligned), "
                + "\"rounds\": \(options.rounds), \(services.joined(separator: ", "))}")
    }

    private static func text(_ value: Double) -> String {
        let hundredths = (value * 100).rounded() / 100
        return value >= 100 ? "\(Int(value.rounded()))" : "\(hundredths)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 1))
    }
}
