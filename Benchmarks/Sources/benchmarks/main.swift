import DBusTypes
import Glibc
import Harness

func run(_ words: [String]) throws {
    if words.count == 3, words[0] == "--probe", let name = BusName(words[2]) {
        return try Probe.run(words[1], name, interval: 5_000)
    }
    if words.count == 2, words[0] == Steadiness.option, let seconds = Int(words[1]) {
        return try Steadiness.run(seconds: seconds)
    }
    var values: [String: String] = [:]
    for word in words {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard ["--only", "--smoke", "--json", "--markdown", "--programs", "--faults"].contains(parts[0]) else {
            throw BenchmarkFailure("\"\(word)\" is no option of this\n" + Suite.help)
        }
        values[parts[0]] = parts.count == 2 ? parts[1] : ""
    }
    guard let programs = values["--programs"], let faults = values["--faults"] else { throw BenchmarkFailure(Suite.help) }
    let bench = Workbench(programs: programs, own: ownFolder(), faults: faults, isSmoke: values["--smoke"] != nil)
    let wanted = values["--only"]?.split(separator: ",").map(String.init)
    if let unknown = wanted?.first(where: { name in !Suite.all.contains { $0.name == name } }) {
        throw BenchmarkFailure("there is no benchmark \"\(unknown)\"\n" + Suite.help)
    }
    var table = Table()
    table.circumstances = try circumstances(bench)
    let begin = monotonic()
    for benchmark in Suite.all where wanted?.contains(benchmark.name) != false {
        let start = monotonic()
        table.rows += try benchmark.measure(bench)
        complain("\(benchmark.name): \((monotonic() - start) / 1_000_000_000) s\n")
    }
    complain("all: \((monotonic() - begin) / 1_000_000_000) s\n")
    if let path = values["--json"] { try write(table.json, to: path) }
    if let path = values["--markdown"] { try write(table.markdown, to: path) }
    print(table.markdown)
}

/// The machine, and what a flush of its disk takes.
func circumstances(_ bench: Workbench) throws -> String {
    let processors = ChildProcess.text("/proc/cpuinfo").split(separator: "\n")
    let model = processors.first { $0.hasPrefix("model name") }?.split(separator: ":").last.map { $0.drop { $0 == " " } } ?? ""
    var name = utsname()
    uname(&name)
    let kernel = withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let load = ChildProcess.text("/proc/loadavg").split(separator: " ").first.map(String.init) ?? ""
    let count = processors.count { $0.hasPrefix("processor") }
    let text = "\(model), \(count) processors, Linux \(kernel); load before \(load)"
    return bench.isSmoke ? "A smoke run, whose figures say nothing. \(text)." : "\(text)."
}

func ownFolder() -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &path, path.count)
    let own = String(decoding: path.prefix(max(length, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return String(own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex))
}

func complain(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
}

do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    complain("benchmarks: \(error)\n")
    exit(1)
}
