import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support

/// Files of the store removed, moved away or replaced under the running daemon (P7): what is acknowledged from then on is in
/// the store that the next daemon finds.
enum LostFiles {
    private static let domain = "org.example.App"

    /// What happens to the files.
    private enum Loss: String, CaseIterable {
        case folderRemoved = "the folder removed"
        case folderMoved = "the folder moved away"
        case folderReplaced = "the folder replaced by an older copy"
        case databaseRemoved = "the database removed"
        case logRemoved = "the -wal removed"
        case databaseReplaced = "the database replaced by an older copy"

        func happen(to store: String, olderCopy: String) throws {
            let database = store + "/" + StoreFiles.database
            switch self {
            case .folderRemoved: try StoreFiles.remove(store)
            case .folderMoved: try move(store, store + ".away")
            case .folderReplaced:
                try move(store, store + ".away")
                try StoreFiles.copy(olderCopy, to: store)
            case .databaseRemoved: unlink(database)
            case .logRemoved: unlink(store + "/" + StoreFiles.log)
            case .databaseReplaced:
                try (olderCopy + "/" + StoreFiles.database).bytesOfFile().write(toFile: database + ".copy")
                try move(database + ".copy", database)
            }
        }

        private func move(_ path: String, _ target: String) throws {
            guard rename(path, target) == 0 else { throw TestFailure("rename \(path): \(String(cString: strerror(errno)))") }
        }
    }

    static func run(_ trial: Trial) throws {
        for _ in 0..<trial.count(short: 1, long: 20) {
            for loss in Loss.allCases where trial.isWorthwhile { try lose(loss, trial) }
        }
    }

    private static func lose(_ loss: Loss, _ trial: Trial) throws {
        let bus = try PrivateBus()
        let subject = try Subject(on: bus, store: bus.folder + "/store")
        try subject.startReady()
        let client = try subject.connect()
        try client.write(domain, .set("old", .string("old")))
        try subject.stop()
        let olderCopy = bus.folder + "/older"
        try StoreFiles.copy(subject.store, to: olderCopy)
        try subject.startReady()
        for number in 0..<Int.random(in: 1...20, using: &trial.random) {
            try client.write(domain, .set("number", .int64(Int64(number))))
        }
        try loss.happen(to: subject.store, olderCopy: olderCopy)
        trial.strike()
        // Some of these may be refused; those that are not must be there.
        var acknowledged: [String: Value] = [:]
        for number in 0..<10 {
            do throws(DBusError) {
                try client.write(domain, .set("after\(number)", .int64(Int64(number))))
                acknowledged["after\(number)"] = .int64(Int64(number))
            } catch {
                let names = [ErrorNames.storageFailed, ErrorNames.unavailable]
                trial.check(names.contains(error.name), "\(loss.rawValue): a write answers \(error)")
            }
        }
        trial.check(acknowledged.count >= 8, "\(loss.rawValue): only \(acknowledged.count) of 10 writes were done")
        let state = try client.state()
        trial.check(["restored", "lost"].contains(state), "\(loss.rawValue): the store is \(state)")
        let served = try client.values(domain)
        try subject.kill9()
        try subject.startReady()
        let found = try client.values(domain)
        trial.check(found == served, "\(loss.rawValue): after a restart the values are others")
        for (key, value) in acknowledged {
            trial.check(found[key] == value, "\(loss.rawValue): \(key) was acknowledged and is gone")
        }
        trial.check(try client.state() == state, "\(loss.rawValue): after a restart it is forgotten that the store is \(state)")
        try subject.stop()
    }
}
