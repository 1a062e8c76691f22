import Glibc
import Support

/// The files of a store.
enum StoreFiles {
    static let database = "defaults.sqlite"
    static let log = "defaults.sqlite-wal"
    static let backup = "defaults.backup.sqlite"

    /// What may lie in the folder of a store at rest; anything else is litter.
    static let usual: Set<String> = [database, log, backup, "lock", "commit", "reserve"]

    private static let unfinished = ["defaults.new.sqlite", "defaults.backup.new.sqlite"]

    /// Every path that the store thread may touch: for strace, which takes them one by one.
    static func paths(in folder: String) -> [String] {
        let databases = [database, backup] + unfinished
        let names =
            databases + databases.map { $0 + "-wal" } + databases.map { $0 + "-journal" } + [
                "lock", "commit", "reserve", "damaged-1",
            ]
        return [folder] + names.map { folder + "/" + $0 }
    }

    /// The names in the folder that should not be there; a daemon that runs may be at a backup.
    static func litter(in folder: String, isServed: Bool = false) -> [String] {
        ((try? folder.namesInFolder()) ?? []).filter { name in
            !usual.contains(name) && !name.hasPrefix("damaged-") && !(isServed && name.hasPrefix("defaults.backup.new"))
        }
    }

    /// Copies all files of a folder, which has no folders in it, into a new one.
    static func copy(_ source: String, to target: String) throws {
        guard mkdir(target, 0o700) == 0 else { throw TestFailure("mkdir \(target): \(String(cString: strerror(errno)))") }
        for name in try source.namesInFolder() {
            try (source + "/" + name).bytesOfFile().write(toFile: target + "/" + name)
        }
    }

    /// Removes a folder with what is in it.
    static func remove(_ folder: String) throws {
        let result = try Command.run("rm", ["-rf", folder], environment: ["PATH": "/usr/bin:/bin"])
        guard result.code == 0 else { throw TestFailure("rm -rf \(folder): \(result)") }
    }
}
