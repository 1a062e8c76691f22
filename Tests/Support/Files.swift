import Glibc

extension String {
    /// Writes the text to a file, which must not be there yet.
    public func write(toNewFile path: String) throws {
        try Array(utf8).write(toFile: path, flags: O_EXCL)
    }

    /// Reads a whole file; what is no UTF-8 comes as U+FFFD.
    public init(contentsOfFile path: String) throws {
        self.init(decoding: try path.bytesOfFile(), as: UTF8.self)
    }

    /// The names of what is in the folder at this path, sorted.
    public func namesInFolder() throws -> [String] {
        guard let folder = opendir(self) else { throw TestFailure("opendir \(self): \(String(cString: strerror(errno)))") }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// What lstat(2) says of what is at this path: of a link itself, not of what it leads to.
    public func statusOfFile() throws -> stat {
        var status = stat()
        guard lstat(self, &status) == 0 else { throw TestFailure("lstat \(self): \(String(cString: strerror(errno)))") }
        return status
    }

    /// The permission bits of what is at this path.
    public func modeOfFile() throws -> mode_t { try statusOfFile().st_mode & 0o7777 }

    /// The bytes of the file at this path.
    public func bytesOfFile() throws -> [UInt8] {
        let descriptor = open(self, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestFailure("open \(self): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw TestFailure("read \(self): \(String(cString: strerror(errno)))") }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
    }
}

extension [UInt8] {
    /// Writes the bytes to a file, in place of what it had.
    public func write(toFile path: String) throws { try write(toFile: path, flags: O_TRUNC) }

    fileprivate func write(toFile path: String, flags: Int32) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else { throw TestFailure("open \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var rest = self[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw TestFailure("write \(path): \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(count)
        }
    }
}
