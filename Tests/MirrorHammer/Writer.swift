import DBusTypes
import DefaultsInterface
import Glibc
import LibDBus
import Support

/// Writes growing numbers and notes each reply at once.
struct Writer {
    let board: Scoreboard
    let preferences: [Int]
    var random: SeededGenerator
    let connection: BusConnection

    mutating func run() {
        var last = [UInt64](repeating: 0, count: Scoreboard.preferences.count)
        var replies = 0
        var failures = 0
        while board.phase == .running {
            guard let preference = preferences.randomElement(using: &random) else { break }
            // A write that failed may have come to disk: its number isn't used again.
            last[preference] += 1
            do throws(DBusError) {
                let (domain, key) = Scoreboard.preferences[preference]
                _ = try connection.call(
                    WellKnown.busName, WellKnown.rootPath, PreferencesInterface.name, PreferencesInterface.set,
                    [.string(domain), .string(key), .variant(.uint64(last[preference]))], timeout: 10_000)
                board.acknowledge(preference, last[preference])
                replies += 1
                usleep(.random(in: 0..<3_000, using: &random))
            } catch {
                failures += 1
                usleep(5_000)
            }
        }
        print("replies \(replies) failures \(failures)")
    }
}
