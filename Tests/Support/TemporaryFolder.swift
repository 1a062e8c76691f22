import CSupport
import Glibc

/// A new, empty folder that only this user may enter; it goes, with all that is in it, when the last reference to this goes.
public final class TemporaryFolder: Sendable {
    /// Its absolute path.
    public let path: String

    /// Makes a folder in `TMPDIR`, or else in `/tmp`.
    public init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/defaultsd-test.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp in \(parent): \(String(cString: strerror(errno)))") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { csupport_remove_folder(path) }

    /// Has other users reach what they know the name of, such as a socket that is meant for them.
    public func letOthersThrough() throws {
        guard chmod(path, 0o711) == 0 else { throw TestFailure("chmod \(path): \(String(cString: strerror(errno)))") }
    }

    /// The path of `name` in it.
    public func path(_ name: String) -> String { path + "/" + name }

    /// Makes a folder in it, for this user alone, and returns its path.
    public func makeFolder(_ name: String) throws -> String {
        let path = path(name)
        guard mkdir(path, 0o700) == 0 else { throw TestFailure("mkdir \(path): \(String(cString: strerror(errno)))") }
        return path
    }
}
