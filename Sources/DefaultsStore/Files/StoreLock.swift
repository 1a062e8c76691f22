import CLinux
import Glibc

/// The lock that keeps a second process out of a store: an open-file-description lock, gone with the process that held it.
///
/// It is on a file of its own, since on the database it would meet SQLite's.
final class StoreLock {
    /// The name of the file.
    static let name = "lock"
    /// More than a holder ever writes.
    private static let maximumLength = 1024

    private let file: FileDescriptor

    /// Takes the lock and writes who holds it; `inUse` at once where another holds it.
    init(_ directory: StoreDirectory, _ holder: StoreHolder) throws(StoreError) {
        file = try directory.open(Self.name, O_RDWR | O_CREAT)
        try Self.lock(file, exclusive: true, directory)
        // Only a courtesy to whoever finds the store locked: a full disk is no reason not to serve.
        if ftruncate(file.number, 0) == 0 { _ = file.write(Array("\(getpid())\n\(holder.bus)\n".utf8)) }
    }

    /// Takes part in a lock for readers, where there is a lock file; `inUse` where a writer holds it.
    init?(reading directory: StoreDirectory) throws(StoreError) {
        guard let file = try? directory.open(Self.name, O_RDONLY) else { return nil }
        self.file = file
        try Self.lock(file, exclusive: false, directory)
    }

    private static func lock(_ file: FileDescriptor, exclusive: Bool, _ directory: StoreDirectory) throws(StoreError) {
        let result = retryingInterrupts { clinux_lock_file(file.number, exclusive ? 1 : 0) }
        guard let number = result.errorNumber else { return }
        guard number == EAGAIN || number == EACCES else {
            throw StoreError("locked", directory.path(of: name), systemError: number)
        }
        throw inUse(file, directory)
    }

    private static func inUse(_ file: FileDescriptor, _ directory: StoreDirectory) -> StoreError {
        let text = String(decoding: file.read(upTo: maximumLength) ?? [], as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 2, let pid = Int32(lines[0]), pid > 0 else {
            return StoreError(.inUse(pid: 0, bus: ""), "The store in \(directory.path) is in use by another process.")
        }
        let bus = String(lines[1].filter { $0.isASCII && !$0.isNewline && $0 >= " " && $0 != "\u{7F}" })
        return StoreError(
            .inUse(pid: pid, bus: bus), "The store in \(directory.path) is in use by process \(pid), which serves \(bus).")
    }
}
