import DBusTypes
import DefaultsModel
import DefaultsStore
import Glibc
import Support

/// Makes stores of many keys, by the daemon's own code that writes them.
enum StoreGenerator {
    /// Makes a store in a new folder: `domains` domains with `keys` keys each.
    static func generate(_ folder: String, domains: Int, keys: Int) throws {
        guard access(folder, F_OK) != 0 else { throw TestFailure("\(folder) is there already; name a folder that isn't") }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw TestFailure("pipe: \(String(cString: strerror(errno)))") }
        defer { for end in ends { close(end) } }
        let writeEnd = ends[1]
        let service = StoreService {
            var byte: UInt8 = 1
            write(writeEnd, &byte, 1)
        }
        defer { service.shutdown() }
        func wait<Success>(_ request: (@escaping (Result<Success, StoreError>) -> Void) -> Void) throws -> Success {
            var result: Result<Success, StoreError>?
            request { result = $0 }
            while true {
                if let result { return try result.get() }
                var byte: UInt8 = 0
                read(ends[0], &byte, 1)
                service.deliver()
            }
        }
        let opened = try wait { service.open(directory: folder, holder: StoreHolder(bus: "the generator"), completion: $0) }
        for number in 0..<domains {
            let changes = try Self.changes(number, keys, revision: opened.summary.revision + UInt64(number) + 1)
            try wait { opened.store.commit(changes, completion: $0) }
        }
    }

    /// The name of a domain by its number.
    static func domain(_ number: Int) -> String { "org.example.App\(number)" }

    /// The name of a key by its number.
    static func key(_ number: Int) -> String { "setting-\(number)" }

    private static func changes(_ number: Int, _ keys: Int, revision: UInt64) throws -> [RecordChange] {
        guard let domain = DomainName(domain(number)) else { throw TestFailure("no name of a domain: \(domain(number))") }
        var changes: [RecordChange] = [.revision(revision), .domain(domain, revision: revision)]
        for index in 0..<keys {
            guard let key = PreferenceKey(key(index)) else { throw TestFailure("no key: \(key(index))") }
            let record = PreferenceRecord(value: .int64(Int64(index)), modified: 1_700_000_000_000_000, writer: ":1.7")
            changes.append(.preference(domain, .user, key, record))
        }
        return changes
    }
}
