import CLinux
import Glibc

/// An open file descriptor, closed when its owner goes.
final class FileDescriptor {
    /// The descriptor's number.
    let number: Int32

    init(owning number: Int32) { self.number = number }

    deinit { Glibc.close(number) }

    /// The status of the open file, whose path is only for the error.
    ///
    /// The corresponding C function is fstat.
    func status(_ path: String) throws(StoreError) -> stat {
        var status = stat()
        let result = retryingInterrupts { fstat(number, &status) }
        if let number = result.errorNumber { throw StoreError("examined", path, systemError: number, code: .failed) }
        return status
    }

    /// Brings the contents to disk; nil, or the errno.
    ///
    /// The corresponding C function is fsync.
    func flush() -> Int32? {
        retryingInterrupts { fsync(number) }.errorNumber
    }

    /// Sets room aside for the first `size` bytes, also where the file stays shorter; nil, or the errno.
    ///
    /// The corresponding C function is fallocate: the one of POSIX writes where the file system can't.
    func allocate(_ size: Int64, keepingSize: Bool = false) -> Int32? {
        retryingInterrupts { clinux_allocate(number, size, keepingSize ? 1 : 0) }.errorNumber
    }

    /// Makes the file so long, which gives back the room of what is cut off; nil, or the errno.
    ///
    /// The corresponding C function is ftruncate.
    func resize(_ size: Int64) -> Int32? {
        retryingInterrupts { ftruncate(number, off_t(size)) }.errorNumber
    }

    /// Reads at most `count` bytes from the start; nil where reading fails.
    ///
    /// The corresponding C function is pread.
    func read(upTo count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { buffer in
            retryingInterrupts { pread(number, buffer.baseAddress, count, 0) }
        }
        guard case .success(let length) = result else { return nil }
        return Array(bytes[..<length])
    }

    /// Reads all there is, for nothing but to see whether that fails; nil, or the errno.
    ///
    /// The corresponding C function is pread.
    func readThrough() -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var position = 0
        while true {
            let result = buffer.withUnsafeMutableBytes { bytes in
                retryingInterrupts { pread(number, bytes.baseAddress, bytes.count, off_t(position)) }
            }
            switch result {
            case .success(0): return nil
            case .success(let length): position += length
            case .failure(let failure): return failure.number
            }
        }
    }

    /// Writes all bytes at the start; nil, or the errno.
    ///
    /// The corresponding C function is pwrite.
    func write(_ bytes: [UInt8]) -> Int32? {
        var position = 0
        while position < bytes.count {
            let result = bytes.withUnsafeBytes { buffer in
                retryingInterrupts {
                    pwrite(number, buffer.baseAddress?.advanced(by: position), bytes.count - position, off_t(position))
                }
            }
            switch result {
            case .success(let length): position += length
            case .failure(let failure): return failure.number
            }
        }
        return nil
    }
}

/// The errno of a system call that failed.
struct SystemCallFailure: Error {
    let number: Int32
}

/// Calls a function that answers −1 and sets errno, again while a signal interrupts it.
func retryingInterrupts<Number: SignedInteger>(_ call: () -> Number) -> Result<Number, SystemCallFailure> {
    while true {
        let result = call()
        if result != -1 { return .success(result) }
        let number = errno
        if number != EINTR { return .failure(SystemCallFailure(number: number)) }
    }
}

extension Result where Failure == SystemCallFailure {
    /// The errno, nil after success.
    var errorNumber: Int32? {
        switch self {
        case .success: nil
        case .failure(let failure): failure.number
        }
    }
}
