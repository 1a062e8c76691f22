/// All that can be measured.
enum Suite {
    /// One benchmark: what `--only` calls it, and what takes its rows.
    struct Benchmark {
        let name: String
        let measure: (Workbench) throws -> [Row]
    }

    /// In the order of the table.
    static var all: [Benchmark] {
        [
            Benchmark(name: "reads", measure: ReadRows.measure), Benchmark(name: "calls", measure: CallRows.measure),
            Benchmark(name: "growth", measure: GrowthRows.measure),
            Benchmark(name: "visibility", measure: VisibilityRows.measure),
            Benchmark(name: "countdowns", measure: CountdownRows.measure),
            Benchmark(name: "processes", measure: ProcessRows.measure),
            Benchmark(name: "instructions", measure: InstructionRows.measure),
        ]
    }

    static var help: String {
        """
        usage: benchmarks [--only=NAME,…] [--smoke] [--json=FILE] [--markdown=FILE] --programs=FOLDER --faults=FILE

        Measures the defaultsd and defaultsctl in FOLDER beside their peers, in turns, and prints a Markdown table. FILE of --faults is
        the program 'faults', which makes stores. --smoke takes few samples of small stores: whether all works, not how fast.

        NAME is one of: \(all.map(\.name).joined(separator: " "))

        """
    }
}
