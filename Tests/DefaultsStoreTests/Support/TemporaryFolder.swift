import Glibc
import Testing

/// A folder that goes with its test.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/defaults-store-XXXXXX".utf8CString)
        path = try template.withUnsafeMutableBufferPointer { buffer in
            let base = try #require(buffer.baseAddress)
            return String(cString: try #require(mkdtemp(base)))
        }
    }

    deinit { remove(path) }

    /// A path below the folder.
    subscript(_ name: String) -> String { path + "/" + name }

    /// The names in the folder or one below it, sorted.
    func names(_ below: String = "") -> [String] { list(below.isEmpty ? path : self[below]) }

    private func list(_ path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            for name in list(path) { remove(path + "/" + name) }
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}

/// The permission bits of a file; nil where there is none.
func mode(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
}

/// All bytes of a file.
func contents(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    try #require(descriptor >= 0, "\(path) can be opened")
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        try #require(count >= 0)
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}

/// Replaces a file's contents, making it where there is none.
func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0, "\(path) can be made: \(String(cString: strerror(errno)))")
    defer { close(descriptor) }
    var position = 0
    while position < bytes.count {
        let count = bytes[position...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        try #require(count > 0)
        position += count
    }
}

/// Copies a file.
func copy(_ source: String, to target: String) throws {
    try write(try contents(of: source), to: target)
}
