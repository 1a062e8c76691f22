// Foundation's UserDefaults, in the folder that XDG_CONFIG_HOME names. `read KEYS BATCH` serves samples of one bool(forKey:), a mean of
// BATCH; `write KEYS` samples of one set(_:forKey:), which is over before anything is on disk.
import CPeerLine
import Foundation

// Set at the start of the program, read by the one thread there is.
nonisolated(unsafe) var keys = 1
nonisolated(unsafe) var batch = 1
nonisolated(unsafe) let defaults = UserDefaults.standard

let words = CommandLine.arguments
guard words.count >= 3, let count = Int(words[2]) else { line_fail("usage: UserDefaultsPeer read|write KEYS [BATCH]") }
keys = count
if words.count > 3, let count = Int(words[3]) { batch = count }
for index in 0..<keys { defaults.set(index % 2 == 0, forKey: "setting-\(index)") }

switch words[1] {
case "read":
    line_serve { number in
        let key = "setting-\(Int(number) % keys)"
        var found = 0
        let begin = line_now()
        for _ in 0..<batch where defaults.bool(forKey: key) { found += 1 }
        let duration = line_now() - begin
        return found >= 0 ? Double(duration) / Double(batch) : 0
    }
case "write":
    line_serve { number in
        let begin = line_now()
        defaults.set(Int(number), forKey: "setting-\(Int(number) % keys)")
        return Double(line_now() - begin)
    }
default: line_fail("usage: UserDefaultsPeer read|write KEYS [BATCH]")
}
