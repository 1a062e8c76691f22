import Glibc

extension String {
    /// Writes the text to a file, which must not be there yet.
    public func write(toNewFile path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TestFailure("open \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var rest = Array(utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw TestFailure("write \(path): \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads a whole file; what is no UTF-8 comes as U+FFFD.
    public init(contentsOfFile path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestFailure("open \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw TestFailure("read \(path): \(String(cString: strerror(errno)))") }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
