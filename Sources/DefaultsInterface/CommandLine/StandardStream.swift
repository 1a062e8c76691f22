import Glibc

/// Standard output or standard error of a program, without a buffer: what was written is out, however the program ends.
public enum StandardStream: Int32, Sendable {
    /// For results.
    case output = 1
    /// For all that is no result.
    case error = 2

    /// Writes a text; nil, or the errno. Waits where the stream takes no more for now.
    ///
    /// The corresponding C function is write.
    @discardableResult
    public func write(_ text: String) -> Int32? { write(Array(text.utf8)) }

    /// Writes bytes; nil, or the errno. Waits where the stream takes no more for now.
    ///
    /// The corresponding C function is write.
    public func write(_ bytes: [UInt8]) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = poll(&descriptor, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
