import CLinux
import Glibc

/// A file in memory that no one can change any more: how an export leaves the daemon and an import reaches it.
public enum MemoryFile {
    /// The largest that is read, in bytes: twice what a user may store.
    public static let maximumSize = 128 << 20

    /// A system call that failed.
    public struct Failure: Error {
        /// What was tried, for an error message.
        public let operation: String
        /// The errno.
        public let code: Int32

        /// The errno's text.
        public var reason: String { String(cString: strerror(code)) }
    }

    /// Makes a file of the bytes, sealed against every change; the descriptor is the caller's to close.
    public static func make(_ bytes: [UInt8], name: String) throws(Failure) -> Int32 {
        let descriptor = clinux_make_memory_file(name)
        guard descriptor >= 0 else { throw Failure(operation: "memfd_create", code: errno) }
        do throws(Failure) {
            try write(bytes, to: descriptor)
            guard clinux_seal_memory_file(descriptor) == 0 else { throw Failure(operation: "F_ADD_SEALS", code: errno) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var position = 0
        while position < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + position }, buffer.count - position)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Failure(operation: "write", code: errno) }
            position += count
        }
    }

    /// What is wrong with a descriptor that should be a sealed file of at most `maximumSize` bytes; nil where it is one.
    public static func problem(_ descriptor: Int32) -> String? {
        guard clinux_is_sealed(descriptor) == 1 else {
            return "it must be a file in memory (memfd_create) sealed with F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE"
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return "its size can't be read" }
        return status.st_size <= maximumSize
            ? nil : "it has \(status.st_size) bytes; at most \(maximumSize) bytes are allowed"
    }

    /// Reads a file from its beginning, whatever its position.
    public static func read(_ descriptor: Int32) throws(Failure) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(operation: "fstat", code: errno) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var position = 0
        while position < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + position }, buffer.count - position, off_t(position))
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(operation: "pread", code: errno) }
            if count == 0 { break }
            position += count
        }
        return Array(bytes.prefix(position))
    }
}
