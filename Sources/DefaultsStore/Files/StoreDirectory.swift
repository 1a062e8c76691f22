import Glibc

/// The folder of one store: every file of it is reached by its name below one descriptor, and never through a symbolic link.
final class StoreDirectory {
    /// The path without symbolic links, as SQLite needs it.
    let path: String
    /// Whether the folder belongs to the user of this process.
    ///
    /// Another user's folder is only read, also by root, whose files would lock the owner out.
    let isOwn: Bool
    private let descriptor: FileDescriptor
    /// SQLite opens nothing with a longer path, in bytes: 512, and room for the longest suffix.
    private static let longestDatabasePath = 504

    /// What a name in the folder stands for.
    enum Entry {
        case absent
        /// A regular file.
        case file(size: Int64, owner: uid_t)
        /// Anything else, also a symbolic link.
        case other
    }

    /// Opens the folder, making it and its parents where they are missing, for this user only.
    ///
    /// An existing folder keeps its mode. Errors: `notADirectory`; `readOnly` and `full` where it can't be made; `failed`
    /// where it may be there but can't be reached: what is in it is then unknown, not absent (P8).
    init(_ path: String) throws(StoreError) {
        let absolute = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
        try Self.make(absolute)
        let opened = retryingInterrupts { Glibc.open(absolute, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        switch opened {
        case .success(let number): descriptor = FileDescriptor(owning: number)
        case .failure(let failure): throw StoreError("opened", path, systemError: failure.number, code: .failed)
        }
        guard let resolved = realpath(absolute, nil) else {
            throw StoreError("resolved", path, systemError: errno, code: .failed)
        }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        let room = Self.longestDatabasePath - FileName.newBackup.utf8.count - 1
        guard self.path.utf8.count <= room else {
            throw StoreError(
                .failed,
                "The path of the store's folder has \(self.path.utf8.count) bytes; a database in it can only be opened where it has at most "
                    + "\(room): \(self.path)", systemError: ENAMETOOLONG)
        }
        isOwn = try descriptor.status(path).st_uid == geteuid()
    }

    /// The path of a file in the folder.
    func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    /// What `name` stands for.
    ///
    /// The corresponding C function is fstatat.
    func entry(_ name: String) throws(StoreError) -> Entry {
        var status = stat()
        switch retryingInterrupts({ fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) }) {
        case .success:
            guard status.st_mode & S_IFMT == S_IFREG else { return .other }
            return .file(size: Int64(status.st_size), owner: status.st_uid)
        case .failure(let failure):
            if failure.number == ENOENT { return .absent }
            // What can't be looked at is unknown, neither absent nor read-only (P8).
            throw StoreError("examined", path(of: name), systemError: failure.number, code: .failed)
        }
    }

    /// Opens a regular file; with O_CREAT its mode is 0600 whatever the umask.
    ///
    /// The corresponding C function is openat.
    func open(_ name: String, _ flags: Int32) throws(StoreError) -> FileDescriptor {
        // Without O_NONBLOCK a FIFO in the file's place would hang the thread.
        let all = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let file: FileDescriptor
        switch retryingInterrupts({ openat(descriptor.number, name, all, 0o600) }) {
        case .success(let number): file = FileDescriptor(owning: number)
        case .failure(let failure):
            if failure.number == ELOOP { throw notRegular(name) }
            throw StoreError("opened", path(of: name), systemError: failure.number)
        }
        let status = try file.status(path(of: name))
        guard status.st_mode & S_IFMT == S_IFREG else { throw notRegular(name) }
        if flags & O_CREAT != 0, status.st_uid == geteuid(), status.st_mode & 0o777 != 0o600 {
            guard fchmod(file.number, 0o600) == 0 else { throw StoreError("made private", path(of: name), systemError: errno) }
        }
        return file
    }

    /// The error for a name that must be a regular file and isn't.
    func notRegular(_ name: String) -> StoreError {
        StoreError(.failed, "\(path(of: name)) is no regular file, and symbolic links are not followed.", systemError: ELOOP)
    }

    /// Renames within the folder, or into a folder in it.
    ///
    /// The corresponding C function is renameat.
    func rename(_ name: String, to newName: String) throws(StoreError) {
        let result = retryingInterrupts { renameat(descriptor.number, name, descriptor.number, newName) }
        if let number = result.errorNumber { throw StoreError("renamed to \(newName)", path(of: name), systemError: number) }
    }

    /// Removes a file, if there is one.
    ///
    /// The corresponding C function is unlinkat.
    func remove(_ name: String) throws(StoreError) {
        let result = retryingInterrupts { unlinkat(descriptor.number, name, 0) }
        if let number = result.errorNumber, number != ENOENT {
            throw StoreError("removed", path(of: name), systemError: number)
        }
    }

    /// Makes a folder in the folder; false where the name is taken.
    ///
    /// The corresponding C function is mkdirat.
    func makeFolder(_ name: String) throws(StoreError) -> Bool {
        guard let number = retryingInterrupts({ mkdirat(descriptor.number, name, 0o700) }).errorNumber else { return true }
        if number == EEXIST { return false }
        throw StoreError("made", path(of: name), systemError: number)
    }

    /// Brings the names in the folder to disk.
    func flush() throws(StoreError) {
        if let number = descriptor.flush() { throw StoreError("flushed", path, systemError: number) }
    }

    /// Brings a file's contents, or a folder's names, to disk.
    func flush(_ name: String) throws(StoreError) {
        let result = retryingInterrupts { openat(descriptor.number, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) }
        guard case .success(let number) = result else {
            throw StoreError("opened", path(of: name), systemError: result.errorNumber ?? 0)
        }
        if let number = FileDescriptor(owning: number).flush() {
            throw StoreError("flushed", path(of: name), systemError: number)
        }
    }

    /// The bytes that are left of the file system for this user; nil where it doesn't say.
    ///
    /// The corresponding C function is fstatvfs.
    var freeSpace: Int64? {
        var status = statvfs()
        guard case .success = retryingInterrupts({ fstatvfs(descriptor.number, &status) }) else { return nil }
        // A file system with no size of its own.
        if status.f_blocks == 0 { return nil }
        return Int64(clamping: status.f_bavail) &* Int64(clamping: status.f_frsize)
    }

    /// Throws where a file, if it is there, can't be read to its end: SQLite takes some of that for damage.
    func requireReadable(_ name: String) throws(StoreError) {
        guard case .file = try entry(name) else { return }
        let file = try open(name, O_RDONLY)
        if let number = file.readThrough() {
            throw StoreError("read", path(of: name), systemError: number, code: .failed)
        }
    }

    /// The names in the folder, in no order.
    func names() throws(StoreError) -> [String] {
        // fdopendir takes the descriptor over, and its position is shared with a duplicate: open it anew.
        let number = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0, let stream = fdopendir(number) else { throw StoreError("listed", path, systemError: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        let number2 = errno
        guard number2 == 0 else { throw StoreError("listed", path, systemError: number2) }
        return names
    }

    private static func make(_ path: String) throws(StoreError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw StoreError(.notADirectory, "\(path) is no directory, so no store can be in it.", systemError: ENOTDIR)
            }
            return
        }
        guard errno == ENOENT else {
            throw StoreError("reached", path, systemError: errno, code: errno == ENOTDIR ? .notADirectory : .failed)
        }
        let trimmed = path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
        guard let slash = trimmed.lastIndex(of: "/") else { throw StoreError("made", path, systemError: ENOENT) }
        let parent = slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
        try make(parent)
        var parentStatus = stat()
        if geteuid() == 0, stat(parent, &parentStatus) == 0, parentStatus.st_uid != 0 {
            throw StoreError(
                .readOnly,
                "\(trimmed) isn't made: \(parent) belongs to user \(parentStatus.st_uid), and this process runs as root.",
                systemError: EPERM)
        }
        guard let number = retryingInterrupts({ mkdir(trimmed, 0o700) }).errorNumber, number != EEXIST else { return }
        throw StoreError("made", trimmed, systemError: number)
    }
}
