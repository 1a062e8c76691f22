import CLinux
import Glibc
import Support

/// What the processes of one run know of each other, in a file that all of them map.
///
/// Each preference has one writer, which gives it growing numbers; here stands the highest whose reply has come.
struct Scoreboard {
    /// How far the run has come.
    enum Phase: UInt64 {
        case running
        /// Writers end.
        case settling
        /// Readers take a last look and end.
        case ending
    }

    static let domains = (0..<4).map { "org.example.Hammer\($0)" }
    static let preferences: [(domain: String, key: String)] =
        domains.flatMap { domain in ["first", "second"].map { (domain, $0) } } + [("global", "shared")]

    private static let firstWord = 8
    private let words: UnsafeMutablePointer<UInt64>

    init(_ path: String) throws {
        let size = (Self.firstWord + Self.preferences.count) * 8
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw TestFailure("open \(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let address, address != MAP_FAILED else { throw TestFailure("mmap \(path): \(String(cString: strerror(errno)))") }
        words = address.bindMemory(to: UInt64.self, capacity: size / 8)
    }

    var phase: Phase { Phase(rawValue: clinux_load(words)) ?? .ending }

    /// The highest number of a preference that its writer has the reply to.
    func acknowledged(_ preference: Int) -> UInt64 { clinux_load(words + Self.firstWord + preference) }

    func acknowledge(_ preference: Int, _ number: UInt64) { clinux_store(words + Self.firstWord + preference, number) }
}
