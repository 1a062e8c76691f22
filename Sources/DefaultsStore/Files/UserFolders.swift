import Glibc

/// The folders of all users' stores in the directory of the machine instance: each is named by its user's number.
public enum UserFolders {
    /// The users who have a store in `directory`, the one whose store changed last first; none where it can't be read.
    ///
    /// Reads names and times only. What isn't a folder with a database is left out, and symbolic links are not followed.
    public static func list(in directory: String) -> [UInt32] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var found: [(user: UInt32, changed: timespec)] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            guard let user = user(name), let changed = lastChange(dirfd(stream), name) else { continue }
            found.append((user, changed))
        }
        return found.sorted { isLater($0.changed, $0.user, than: $1.changed, $1.user) }.map(\.user)
    }

    /// Whether there never was a store in `folder`, so that what it has is known without opening it: nothing.
    ///
    /// A folder that can't be read says nothing of the kind (P8).
    public static func isUnused(_ folder: String) -> Bool {
        guard let stream = opendir(folder) else { return errno == ENOENT }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            // The lock is made before anything else.
            if ![".", "..", StoreLock.name].contains(name) { return false }
        }
        return true
    }

    /// The user whose number is written as the daemon writes it; (uid_t)-1 is no user.
    private static func user(_ name: String) -> UInt32? {
        guard let user = UInt32(name), String(user) == name, user != .max else { return nil }
        return user
    }

    /// When a store was last written to; nil where there is none.
    private static func lastChange(_ parent: Int32, _ name: String) -> timespec? {
        let opened = retryingInterrupts { openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard case .success(let number) = opened else { return nil }
        let folder = FileDescriptor(owning: number)
        return withExtendedLifetime(folder) {
            guard let database = time(folder.number, FileName.database) else { return nil }
            // The side file is written with each commit, the database only now and then.
            return time(folder.number, CommitFile.name) ?? database
        }
    }

    private static func time(_ folder: Int32, _ name: String) -> timespec? {
        var status = stat()
        let result = retryingInterrupts { fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) }
        guard case .success = result, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status.st_mtim
    }

    private static func isLater(_ left: timespec, _ leftUser: UInt32, than right: timespec, _ rightUser: UInt32) -> Bool {
        (left.tv_sec, left.tv_nsec, rightUser) > (right.tv_sec, right.tv_nsec, leftUser)
    }
}
