import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support

/// A tiny disk filled to different heights and freed again (scenario 4, P11).
enum FullDisk {
    private static let domain = "org.example.App"

    static func run(_ trial: Trial) throws {
        let bus = try PrivateBus()
        let disk = try TemporaryMount(kibibytes: 3_072)
        let subject = try Subject(on: bus, store: disk.path + "/store")
        try subject.startReady()
        let client = try subject.connect()
        var ledger = DomainLedger()
        var full = 0
        var freed = 0
        let filler = disk.path + "/filler"
        for round in 0..<trial.count(short: 12, long: 200) where trial.isWorthwhile {
            let keys = (0..<20).map { ("small\($0)", Value.bytes(bytes(3_000, $0 + round))) }
            trial.check(
                try attempt(.apply(keys, reset: []), client, &ledger, trial, "round \(round)"),
                "round \(round): what there is space for was refused")
            let room = Int.random(in: 0...120, using: &trial.random) * 1_024
            try disk.fill("filler")
            var status = stat()
            guard stat(filler, &status) == 0, truncate(filler, max(0, status.st_size - room)) == 0 else {
                throw TestFailure("\(filler): \(String(cString: strerror(errno)))")
            }
            trial.strike()
            trial.check(
                status.st_size > 100_000, "round \(round): the store leaves \(status.st_size) bytes of the disk to others")
            let occasion = "round \(round), with \(room) bytes left"
            // Until it is full, and then some more.
            var refusals = 0
            for number in 0..<40 where refusals < 3 {
                let size = Int.random(in: 0...100_000, using: &trial.random)
                let write = Write.apply(
                    [
                        ("number", .int64(Int64(number))), ("same", .int64(Int64(number))),
                        ("data\(number % 3)", .bytes(bytes(size, number))),
                    ], reset: [])
                if try !attempt(write, client, &ledger, trial, occasion) { refusals += 1 }
            }
            if refusals > 0 {
                full += 1
                // What only frees is stored all the same, and again.
                for number in 0..<10 {
                    let reset = Write.apply([], reset: ["data\(number % 3)", "small\(number)"])
                    let isFreed = try attempt(reset, client, &ledger, trial, occasion)
                    trial.check(isFreed, "\(occasion): what only frees was refused the \(number + 1). time")
                    if isFreed { freed += 1 }
                }
            }
            if round % 3 == 1 {
                try subject.kill9()
                try subject.startReady()
                check(try client.values(domain), ledger, trial, "\(occasion), after kill -9")
                for number in 10..<20 where refusals > 0 {
                    let isFreed = try attempt(.apply([], reset: ["small\(number)"]), client, &ledger, trial, occasion)
                    trial.check(isFreed, "\(occasion), after kill -9: what only frees was refused")
                }
            }
            unlink(filler)
            do throws(DBusError) {
                let write = Write.set("space", .int64(Int64(round)))
                ledger.sent(write)
                try client.write(domain, write)
                ledger.succeeded()
            } catch {
                ledger.refused()
                trial.lose("\(occasion): nothing can be written although there is space: \(error)")
            }
            let state = try client.state()
            trial.check(state == "healthy", "\(occasion): the store is \(state)")
            if round % 3 == 2 {
                // The -wal then begins anew, and takes no room that it could write in.
                try subject.stop()
                try subject.startReady()
                check(try client.values(domain), ledger, trial, "\(occasion), after the end")
            }
            let litter = StoreFiles.litter(in: subject.store, isServed: true)
            trial.check(litter.isEmpty, "\(occasion): litter \(litter)")
        }
        try subject.kill9()
        trial.check(full * 2 > trial.tried, "the disk was full in \(full) of \(trial.tried) rounds only")
        trial.note("full in \(full), \(freed) of \(10 * full) resets stored then")
    }

    private static func bytes(_ count: Int, _ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 31 &+ 1), count: count)
    }

    /// Writes, and returns whether that was done.
    ///
    /// What was refused must have changed nothing.
    static func attempt(
        _ write: Write, _ client: StoreClient, _ ledger: inout DomainLedger, _ trial: Trial, _ occasion: String
    ) throws -> Bool {
        ledger.sent(write)
        do throws(DBusError) {
            try client.write(domain, write)
            ledger.succeeded()
            return true
        } catch {
            ledger.refused()
            trial.check(error.name == ErrorNames.storageFull, "\(occasion): a write answers \(error)")
        }
        check(try client.values(domain), ledger, trial, "\(occasion), after a refusal")
        return false
    }

    static func check(_ found: [String: Value], _ ledger: DomainLedger, _ trial: Trial, _ occasion: String) {
        trial.check(found == ledger.acknowledged, "\(occasion): the values are \(ledger.difference(found))")
    }
}
