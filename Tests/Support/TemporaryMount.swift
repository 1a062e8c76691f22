import Glibc

/// A small file system in memory, mounted on a new folder and unmounted when the last reference to this goes; only root can make one.
public final class TemporaryMount: Sendable {
    /// Where it is mounted.
    public let path: String
    private let folder: TemporaryFolder

    /// Whether this process may mount.
    public static var isPossible: Bool { geteuid() == 0 }

    /// Mounts a file system of `kibibytes` in size, which holds so many files and folders at most; as many as fit, if `inodes` is nil.
    public init(kibibytes: Int, inodes: Int? = nil) throws {
        folder = try TemporaryFolder()
        path = try folder.makeFolder("mount")
        let options = "size=\(kibibytes)k,mode=700" + (inodes.map { ",nr_inodes=\($0)" } ?? "")
        guard mount("tmpfs", path, "tmpfs", 0, options) == 0 else {
            throw TestFailure("mount \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Mounts a ramfs: a file system that can't set room aside, and that doesn't say how large it is.
    public init() throws {
        folder = try TemporaryFolder()
        path = try folder.makeFolder("mount")
        guard mount("ramfs", path, "ramfs", 0, "mode=700") == 0 else {
            throw TestFailure("mount \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Mounts it anew so that nothing in it can be written, or can again.
    public func setReadOnly(_ isReadOnly: Bool) throws {
        let flags = UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0)
        guard mount("tmpfs", path, "tmpfs", flags, nil) == 0 else {
            throw TestFailure("remount \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Takes all the space that is left, in a file of this name; remove it to give the space back.
    public func fill(_ name: String) throws {
        let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TestFailure("open \(path)/\(name): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 4_096)
        while write(descriptor, block, block.count) > 0 {}
        guard errno == ENOSPC else { throw TestFailure("write \(path)/\(name): \(String(cString: strerror(errno)))") }
    }
}
