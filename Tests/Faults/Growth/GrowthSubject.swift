import DBusTypes
import DefaultsInterface
import Glibc
import Support

/// One daemon on a store of one size, and its figures.
final class GrowthSubject {
    /// The names of what is timed, in the order of the table.
    static let times = ["start to first reply", "Get, domain not in memory", "Get", "Set"]

    private(set) var sizes: [(name: String, kibibytes: Int)] = []
    private let subject: Subject
    private let client: StoreClient
    private let domains: Int
    private let keys: Int
    private var samples: [String: [Int64]] = [:]
    private var number: Int64 = 1_000_000

    init(domains: Int, keys: Int) throws {
        self.domains = domains
        self.keys = keys
        let bus = try PrivateBus()
        subject = try Subject(on: bus, store: bus.folder + "/store")
        try StoreGenerator.generate(subject.store, domains: domains, keys: keys)
        client = try subject.connect()
    }

    /// The middle one of what was measured under a name, in nanoseconds; 0 where nothing was.
    func median(_ name: String) -> Int64 {
        let sorted = (samples[name] ?? []).sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    /// Starts it several times; it runs when this returns.
    func measureStarts(count: Int) throws {
        for round in 0..<count {
            if round > 0 { try subject.stop() }
            try time(Self.times[0]) {
                try subject.startReady()
                try get(0, 0)
            }
        }
    }

    /// Its memory once it has nothing to do, before and after it has made its backup.
    func measureRest() throws {
        noteMemory("at rest")
        let deadline = Deadline.after(.seconds(120))
        let backup = subject.store + "/" + StoreFiles.backup
        while access(backup, F_OK) != 0 {
            guard !deadline.isPast else { throw TestFailure("there was no backup in two minutes") }
            usleep(50_000)
        }
        noteMemory("after the backup")
    }

    /// Reads a key of each of some domains for the first time.
    func measureColdReads(count: Int) throws {
        for domain in 1..<max(2, count + 1) where domain < domains { try time(Self.times[1]) { try get(domain, 1) } }
        noteMemory("with \(max(0, count)) more domains read")
    }

    /// Reads and writes one domain.
    func measureCalls(count: Int) throws {
        for _ in 0..<count {
            let key = Int(number % Int64(keys))
            try time(Self.times[2]) { try get(0, key) }
            number += 1
            try time(Self.times[3]) {
                try client.write(StoreGenerator.domain(0), .set(StoreGenerator.key(key), .int64(number)))
            }
        }
    }

    private func get(_ domain: Int, _ key: Int) throws {
        _ = try client.call(
            PreferencesInterface.get, [.string(StoreGenerator.domain(domain)), .string(StoreGenerator.key(key))])
    }

    private func time(_ name: String, _ body: () throws -> Void) throws {
        let start = ContinuousClock.now
        try body()
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        samples[name, default: []].append(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    private func noteMemory(_ occasion: String) {
        guard let process = subject.process, let status = try? String(contentsOfFile: "/proc/\(process.identifier)/status") else {
            return
        }
        for (field, name) in [("VmRSS:", "resident"), ("RssAnon:", "anonymous")] {
            let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
            let number = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
            sizes.append(("\(name), \(occasion)", number ?? 0))
        }
    }
}
