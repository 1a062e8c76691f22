import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support

/// Files of a store cut at every byte, and bits of them flipped (scenario 5, P8, P9): the daemon starts, and serves the old
/// values or says what it has lost, and keeps the damaged file.
enum DamagedFiles {
    private static let domain = "org.example.App"

    /// One way of damaging the store.
    private struct Damage: CustomStringConvertible {
        let file: String
        /// Where it is cut; nil where a bit is flipped.
        var cut: Int?
        var bit = 0

        var description: String { cut.map { "\(file) cut at \($0)" } ?? "\(file) with bit \(bit) flipped" }

        func apply(_ bytes: [UInt8]) -> [UInt8] {
            if let cut { return Array(bytes[..<cut]) }
            var bytes = bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            return bytes
        }
    }

    static func run(_ trial: Trial) throws {
        let bus = try PrivateBus()
        let (template, states) = try makeTemplate(bus)
        var damages: [Damage] = []
        for file in [StoreFiles.database, StoreFiles.log, StoreFiles.backup] {
            let size = try (template + "/" + file).bytesOfFile().count
            damages += (0..<size).map { Damage(file: file, cut: $0) }
            damages += (0..<1_000).map { _ in
                Damage(file: file, bit: Int.random(in: 0..<size * 8, using: &trial.random))
            }
        }
        let client = try StoreClient(bus)
        var slowest = Duration.zero
        for damage in trial.part(of: trial.sample(damages, trial.isShort ? 90 : damages.count)) where trial.isWorthwhile {
            let store = bus.folder + "/damaged"
            try StoreFiles.copy(template, to: store)
            let path = store + "/" + damage.file
            let bytes = damage.apply(try path.bytesOfFile())
            try bytes.write(toFile: path)
            let subject = try Subject(on: bus, store: store)
            let start = ContinuousClock.now
            let became = try subject.start()
            slowest = max(slowest, ContinuousClock.now - start)
            trial.strike()
            if became == .ready {
                try check(client, damage, bytes, subject, states, trial)
            } else {
                trial.lose("\(damage): the daemon \(became): \(subject.log)")
            }
            try subject.kill9()
            try StoreFiles.remove(store)
        }
        trial.note("slowest start \(slowest)")
    }

    /// Makes a store with a database, a -wal and a backup, each of another time; returns the values of all times, oldest first.
    private static func makeTemplate(_ bus: PrivateBus) throws -> (String, [[String: Value]]) {
        let template = bus.folder + "/template"
        let subject = try Subject(on: bus, store: template)
        var values: [String: Value] = [:]
        var states: [[String: Value]] = []
        func write(_ key: String, _ value: Value, _ client: StoreClient) throws {
            try client.write(domain, .set(key, value))
            values[key] = value
            states.append(values)
        }
        try subject.startReady()
        let client = try StoreClient(bus)
        try write("number", .int64(0x0123_4567_89AB_CDEF), client)
        try write("text", .string(String(repeating: "The quick brown fox. ", count: 20)), client)
        try subject.stop()
        let old = try (template + "/" + StoreFiles.database).bytesOfFile()
        try subject.startReady()
        try write("list", .array((0..<50).map { Int32($0) }), client)
        try subject.stop()
        // Before the daemon makes one of its own, a second after its start.
        unlink(template + "/" + StoreFiles.backup)
        try old.write(toFile: template + "/" + StoreFiles.backup)
        try subject.startReady()
        try write("flag", .boolean(true), client)
        try write("text", .string("short"), client)
        try subject.kill9()
        return (template, states)
    }

    private static func check(
        _ client: StoreClient, _ damage: Damage, _ bytes: [UInt8], _ subject: Subject, _ states: [[String: Value]],
        _ trial: Trial
    ) throws {
        let last = states.last ?? [:]
        let values: [String: Value]
        do {
            values = try client.values(domain)
        } catch let error as DBusError {
            return trial.check(error.name == ErrorNames.unavailable, "\(damage): GetAll answers \(error)")
        }
        let state = try client.state()
        switch state {
        case "healthy": trial.check(values == last, "\(damage): the store is healthy, and its values are others")
        case "restored": trial.check(states.contains(values), "\(damage): the values restored never were")
        case "lost": trial.check(values.isEmpty, "\(damage): all is lost, and there are values")
        default: trial.lose("\(damage): the store is \(state)")
        }
        if damage.file == StoreFiles.backup {
            trial.check(state == "healthy", "\(damage): the store is \(state) for want of a backup")
        } else if state != "healthy", damage.file == StoreFiles.database {
            let kept = try? (subject.store + "/damaged-1/" + damage.file).bytesOfFile()
            trial.check(kept == bytes, "\(damage): the damaged file was not kept")
            trial.check(subject.log.contains("is \(state)"), "\(damage): the journal doesn't say that it is \(state)")
        }
        // Whatever happened, it can be written again.
        do throws(DBusError) {
            try client.write(domain, .set("new", .int64(1)))
        } catch {
            trial.lose("\(damage): nothing can be written afterwards: \(error)")
        }
    }
}
