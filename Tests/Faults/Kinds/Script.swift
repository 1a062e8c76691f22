import DBusTypes
import DefaultsInterface
import LibDBus
import Support

/// A short life of a daemon in which it uses its store in every way: opened, read, written, brought in order, closed.
///
/// The same each time, so that faults can be put at each system call of it.
final class Script {
    private static let domain = "org.example.Script"
    private static let other = "org.example.Other"

    /// The system calls by which the daemon reads and changes its store, and the errors that each can end with.
    static let calls: [(name: String, errors: [String])] = [
        ("openat", ["EIO", "ENOSPC", "EROFS", "EACCES", "EMFILE", "EINTR"]),
        ("pwrite64", ["EIO", "ENOSPC", "EROFS", "EINTR"]),
        ("pread64", ["EIO", "EINTR"]),
        ("fdatasync", ["EIO", "ENOSPC", "EROFS", "EINTR"]),
        ("fsync", ["EIO", "ENOSPC", "EINTR"]),
        ("ftruncate", ["EIO", "EINTR", "EROFS"]),
        ("renameat", ["EIO", "ENOSPC", "EROFS"]),
        ("unlink", ["EIO", "EROFS", "EACCES"]),
        ("unlinkat", ["EIO", "EROFS"]),
        ("mkdir", ["EIO", "ENOSPC", "EROFS", "EACCES"]),
        ("mkdirat", ["EIO", "ENOSPC"]),
        ("newfstatat", ["EIO", "EACCES", "EINTR"]),
        ("fstat", ["EIO"]),
        ("fcntl", ["EIO", "EINTR", "ENOLCK"]),
        ("fchmod", ["EIO", "EROFS"]),
        ("getdents64", ["EIO"]),
        ("readlink", ["EIO", "EACCES"]),
        ("sendfile", ["EIO", "ENOSPC"]),
        ("fallocate", ["EIO", "ENOSPC", "EINTR", "EOPNOTSUPP"]),
    ]

    /// How the life begins.
    enum Beginning: String, CaseIterable {
        /// No folder is there yet.
        case new
        /// There is a store with a -wal, as a crash leaves it.
        case crashed
        /// The database is damaged, and a backup stands beside it.
        case damaged
    }

    let beginning: Beginning
    /// The folder that each life begins with a copy of; nil where it begins with none.
    private let template: String?
    /// What each domain holds at the beginning.
    private let start: [String: [String: Value]]
    private let bus: PrivateBus
    private var number = 0

    init(_ beginning: Beginning, on bus: PrivateBus) throws {
        self.beginning = beginning
        self.bus = bus
        guard beginning != .new else {
            (template, start) = (nil, [Self.domain: [:], Self.other: [:]])
            return
        }
        let template = bus.folder + "/template-\(beginning)"
        let subject = try Subject(on: bus, store: template, tag: "template-\(beginning)")
        try subject.startReady()
        let client = try subject.connect()
        try client.write(
            Self.domain, .apply([("old", .string("old")), ("sum", .int64(7)), ("text", .string("first"))], reset: []))
        try client.write(Self.other, .set("cold", .bytes([UInt8](repeating: 7, count: 6_000))))
        if beginning == .damaged {
            try subject.stop()
            let database = template + "/" + StoreFiles.database
            var bytes = try database.bytesOfFile()
            try bytes.write(toFile: template + "/" + StoreFiles.backup)
            // The first page has the format, without which nothing is read.
            bytes[20] ^= 0xFF
            bytes[0] ^= 0xFF
            try bytes.write(toFile: database)
        }
        start = Self.beginningValues
        try subject.kill9()
        self.template = template
    }

    private static let beginningValues: [String: [String: Value]] = [
        domain: ["old": .string("old"), "sum": .int64(7), "text": .string("first")],
        other: ["cold": .bytes([UInt8](repeating: 7, count: 6_000))],
    ]

    private static let writes: [(String, Write)] = [
        (domain, .set("text", .string("second"))),
        (domain, .apply([("a", .int64(1)), ("b", .int64(1))], reset: ["old"])),
        (domain, .increment("sum")),
        (other, .set("blob", .bytes([UInt8](repeating: 3, count: 20_000)))),
        (domain, .apply([("a", .int64(2)), ("b", .int64(2))], reset: ["text"])),
        (domain, .increment("sum")),
    ]

    /// Lives once under a fault, ends it, and notes what was lost; returns whether the fault struck.
    ///
    /// `isDeadly`: the fault kills the daemon, and so needs no error that names it.
    func live(under fault: Injection, isDeadly: Bool, _ trial: Trial) throws -> Bool {
        number += 1
        let store = bus.folder + "/life-\(beginning)-\(number)"
        if let template { try StoreFiles.copy(template, to: store) }
        defer { try? StoreFiles.remove(store) }
        let subject = try Subject(on: bus, store: store, tag: "life")
        var ledgers = start.mapValues { DomainLedger(acknowledged: $0) }
        let occasion = "\(beginning.rawValue), \(fault)"
        let client = try subject.connect()
        switch try subject.start(under: fault) {
        case .ended(let status): checkEnd(status, subject, isDeadly, trial, occasion)
        case .ready:
            try work(client, subject, &ledgers, trial, occasion)
            if subject.end == nil, fault.isLasting { try subject.endFault() }
            if subject.end == nil, !isDeadly { try recover(client, subject, &ledgers, trial, occasion) }
            if subject.end == nil {
                let status = try subject.stop()
                if !isDeadly { trial.check(status == .exited(0), "\(occasion): the daemon stopped with \(status)") }
            }
        }
        let struck = try subject.faultStruck()
        try subject.startReady()
        for (domain, ledger) in ledgers { checkValues(try client.values(domain), ledger, trial, "\(occasion), after a restart") }
        let state = try client.state()
        let right: Set = beginning == .damaged ? ["restored"] : ["healthy"]
        trial.check(right.contains(state), "\(occasion): the store is \(state) after a restart\n\(subject.log)")
        try subject.stop()
        let litter = StoreFiles.litter(in: store)
        trial.check(litter.isEmpty, "\(occasion): litter \(litter)")
        return struck
    }

    /// Reads and writes; after each refusal the old values must be served.
    private func work(
        _ client: StoreClient, _ subject: Subject, _ ledgers: inout [String: DomainLedger], _ trial: Trial, _ occasion: String
    ) throws {
        for (domain, write) in Self.writes {
            ledgers[domain]?.sent(write)
            do throws(DBusError) {
                try client.write(domain, write)
                ledgers[domain]?.succeeded()
            } catch {
                if Writer.isCut(error) { return }
                ledgers[domain]?.refused()
                trial.check(Self.isNamed(error), "\(occasion): the error has no name of ours: \(error)")
                try read(domain, client, ledgers, trial, occasion)
            }
        }
    }

    private func read(
        _ domain: String, _ client: StoreClient, _ ledgers: [String: DomainLedger], _ trial: Trial, _ occasion: String
    ) throws {
        do {
            if let ledger = ledgers[domain] {
                checkValues(try client.values(domain), ledger, trial, "\(occasion), after an error")
            }
        } catch let error as DBusError {
            // What can't be read is unavailable, never absent (P8).
            if !Writer.isCut(error) {
                trial.check(error.name == ErrorNames.unavailable, "\(occasion): a read answers \(error)")
            }
        }
    }

    /// Once the fault is over, everything works without a restart.
    private func recover(
        _ client: StoreClient, _ subject: Subject, _ ledgers: inout [String: DomainLedger], _ trial: Trial, _ occasion: String
    ) throws {
        for attempt in 0..<3 {
            let write = Write.set("recovered", .boolean(true))
            ledgers[Self.domain]?.sent(write)
            do throws(DBusError) {
                try client.write(Self.domain, write)
                ledgers[Self.domain]?.succeeded()
                break
            } catch {
                ledgers[Self.domain]?.refused()
                // A fault at a number that was not reached before strikes here.
                if attempt == 2 { trial.lose("\(occasion): nothing can be written once the fault is over: \(error)") }
            }
        }
        for (domain, ledger) in ledgers {
            checkValues(try client.values(domain), ledger, trial, "\(occasion), once the fault is over")
        }
    }

    private func checkValues(_ found: [String: Value], _ ledger: DomainLedger, _ trial: Trial, _ occasion: String) {
        trial.check(ledger.allowed.contains(found), "\(occasion): the values are \(ledger.difference(found))")
    }

    private func checkEnd(_ status: ExitStatus, _ subject: Subject, _ isDeadly: Bool, _ trial: Trial, _ occasion: String) {
        if case .signalled(9) = status, isDeadly { return }
        guard case .exited(let code) = status, code != 0, !subject.log.isEmpty else {
            return trial.lose("\(occasion): the daemon ended with \(status) and said \"\(subject.log)\"")
        }
    }

    private static func isNamed(_ error: DBusError) -> Bool {
        [ErrorNames.storageFull, ErrorNames.storageFailed, ErrorNames.storageReadOnly, ErrorNames.unavailable].contains(
            error.name)
    }
}

extension DomainLedger {
    /// A ledger that begins with these values.
    init(acknowledged values: [String: Value]) {
        self.init()
        _ = settleBeginning(values)
    }

    private mutating func settleBeginning(_ values: [String: Value]) -> Bool {
        sent(.apply(values.map { ($0.key, $0.value) }, reset: []))
        succeeded()
        return true
    }
}
