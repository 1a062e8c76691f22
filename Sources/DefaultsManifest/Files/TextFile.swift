import Glibc

/// Whole files and the names in folders, with the errno of what fails.
public enum TextFile {
    /// More than any configuration needs; a larger file is a mistake that must not fill the memory.
    public static let maximumSize = 16 << 20

    /// Why a file or folder can't be read.
    public struct Failure: Error {
        /// The errno; EFBIG for a file that is too large.
        public let number: Int32

        /// What went wrong, in the system's words.
        public var text: String { String(cString: strerror(number)) }
    }

    /// Reads a regular file of at most `limit` bytes, also through a symbolic link.
    ///
    /// With `waits` it may also be a pipe, such as /dev/stdin, which is read to its end. Throws the errno of what fails.
    public static func read(_ path: String, limit: Int = maximumSize, waits: Bool = false) throws(Failure) -> [UInt8] {
        // Without O_NONBLOCK a FIFO in the file's place would hang the daemon.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw Failure(number: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(number: errno) }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || waits && kind != S_IFDIR else { throw Failure(number: kind == S_IFDIR ? EISDIR : EINVAL) }
        return try read(descriptor: descriptor, limit: limit)
    }

    /// Reads a descriptor to its end, `limit` bytes at most; it may be a pipe.
    public static func read(descriptor: Int32, limit: Int = maximumSize) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(number: errno) }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= limit else { throw Failure(number: EFBIG) }
        }
    }

    /// The names in a folder, sorted by their bytes; none where there is no folder.
    public static func names(in folder: String) throws(Failure) -> [String] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw Failure(number: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
                })
        }
        guard errno == 0 else { throw Failure(number: errno) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
