import DBusTypes
import Glibc
import Support

/// Writes that the system cuts short at every place: a limit on the size of files, so near that a write crosses it (P11).
///
/// strace could only claim that less was written than was; here less is.
enum ShortWrites {
    static func run(_ trial: Trial) throws {
        let bus = try PrivateBus()
        let subject = try Subject(on: bus, store: bus.folder + "/store")
        try subject.startReady()
        let client = try subject.connect()
        var ledger = DomainLedger()
        for round in 0..<trial.count(short: 20, long: 500) where trial.isWorthwhile {
            let number = Int64(round)
            _ = try FullDisk.attempt(.set("before", .int64(number)), client, &ledger, trial, "round \(round)")
            var status = stat()
            guard stat(subject.store + "/" + StoreFiles.log, &status) == 0 else { throw TestFailure("there is no -wal") }
            // Within the next three pages of the -wal, so that each part of a frame is cut.
            let limit = Int(status.st_size) + Int.random(in: 1...12_400, using: &trial.random)
            try setLimit(limit, subject)
            trial.strike()
            let occasion = "round \(round), files limited to \(limit) bytes"
            let large = Write.apply(
                [
                    ("a", .int64(number)), ("b", .int64(number)),
                    ("data", .bytes([UInt8](repeating: UInt8(round & 255), count: 16_000))),
                ],
                reset: [])
            _ = try FullDisk.attempt(large, client, &ledger, trial, occasion)
            if round % 4 == 3 {
                try subject.kill9()
                try subject.startReady()
                FullDisk.check(try client.values("org.example.App"), ledger, trial, "\(occasion), after kill -9")
            }
            try setLimit(nil, subject)
            trial.check(
                try FullDisk.attempt(.set("after", .int64(number)), client, &ledger, trial, occasion),
                "\(occasion): nothing can be written although the limit is gone")
        }
        try subject.kill9()
        try subject.startReady()
        FullDisk.check(try client.values("org.example.App"), ledger, trial, "at the end")
    }

    /// Limits the size of the files that the daemon may write; without a limit where there is none.
    private static func setLimit(_ bytes: Int?, _ subject: Subject) throws {
        guard let process = subject.process else { throw TestFailure("there is no daemon to limit") }
        let limit = bytes.map(String.init) ?? "unlimited"
        let result = try Command.run(
            "prlimit", ["--pid", "\(process.identifier)", "--fsize=\(limit):unlimited"], environment: bus(subject))
        guard result.code == 0 else { throw TestFailure("prlimit: \(result)") }
    }

    private static func bus(_ subject: Subject) -> [String: String] { subject.bus.environment.variables }
}
