import Glibc

/// Where the built programs are.
public enum Programs {
    /// The path of `defaultsd` or `defaultsctl`: in DEFAULTSD_BIN_DIR, or else beside the tests.
    public static func path(_ name: String) throws -> String {
        if let folder = getenv("DEFAULTSD_BIN_DIR") { return String(cString: folder) + "/" + name }
        return try helper(name)
    }

    /// The path of a program that only tests use, which is built with them.
    public static func helper(_ name: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw TestFailure("readlink: \(String(cString: strerror(errno)))") }
        let tests = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let slash = tests.lastIndex(of: "/") else { throw TestFailure("\(tests) is not in a folder") }
        return tests[...slash] + name
    }
}
