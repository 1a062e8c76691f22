import CLinux
import DBusTypes
import DefaultsManifest
import DefaultsModel
import Glibc

/// The file in which `Machine` keeps what it is told, replaced as a whole or not at all.
struct AdminFile {
    static let name = "50-admin.json"
    /// The new file while it is written; its lock keeps the session's and the system's daemon from losing each other's change.
    private static let draftName = ".50-admin.json.new"

    /// `defaults.d` or `mandatory.d` of the last configuration folder.
    let folder: String

    private var path: String { "\(folder)/\(Self.name)" }
    private var draftPath: String { "\(folder)/\(Self.draftName)" }

    /// Sets a key, or with nil removes it; on disk when this returns.
    ///
    /// Errors: `accessDenied` where the daemon may not write there, `storageFull`, `storageFailed`, `unavailable` while another
    /// process changes the file.
    func set(_ domain: DomainName, _ key: PreferenceKey, to value: Value?) throws(ModelError) {
        guard try change(domain, key, value) != nil else { return }
        try makeFolder(folder)
        let draft = try openDraft()
        defer { close(draft) }
        // Read again: what was read before the lock was taken may be old.
        guard let text = try change(domain, key, value) else {
            unlink(draftPath)
            return
        }
        do throws(ModelError) {
            try write(Array(text.utf8), to: draft)
        } catch {
            unlink(draftPath)
            throw error
        }
    }

    /// The file's new text; nil where nothing would change.
    private func change(_ domain: DomainName, _ key: PreferenceKey, _ value: Value?) throws(ModelError) -> String? {
        var document = LayerDocument()
        var text: [UInt8]?
        do throws(TextFile.Failure) {
            text = try TextFile.read(path)
        } catch {
            guard error.number == ENOENT || error.number == ENOTDIR else { throw failure("read", path, error.number) }
        }
        if let text {
            do throws(Diagnostic) {
                document = try LayerDocument(text, path: path)
            } catch {
                throw ModelError(.storageFailed, "The file must be mended by hand before it can be changed: \(error).")
            }
        }
        return document.set(domain, key, to: value) ? document.text : nil
    }

    /// Makes a folder and those above it; others must be able to read it, whatever the umask.
    private func makeFolder(_ path: String) throws(ModelError) {
        var status = stat()
        if stat(path, &status) == 0 || path.isEmpty { return }
        guard errno == ENOENT else { throw failure("reached", path, errno) }
        if let slash = path.lastIndex(of: "/") { try makeFolder(String(path[..<slash])) }
        guard mkdir(path, 0o755) == 0 else {
            if errno == EEXIST { return }
            throw failure("made", path, errno)
        }
        guard chmod(path, 0o755) == 0 else { throw failure("made readable", path, errno) }
    }

    /// Opens and locks the new file; one that a crash has left is taken over.
    private func openDraft() throws(ModelError) -> Int32 {
        // Once more where the holder of the lock has just renamed or removed it.
        for _ in 0..<4 {
            let descriptor = open(draftPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw failure("written", path, errno) }
            guard clinux_lock_file(descriptor, 1) == 0 else {
                close(descriptor)
                throw ModelError(.unavailable, "Another process is changing \(path); try again.")
            }
            var ours = stat()
            var there = stat()
            if fstat(descriptor, &ours) == 0, lstat(draftPath, &there) == 0, ours.st_ino == there.st_ino,
                ours.st_dev == there.st_dev
            {
                return descriptor
            }
            close(descriptor)
        }
        throw ModelError(.unavailable, "Other processes are changing \(path); try again.")
    }

    private func write(_ text: [UInt8], to draft: Int32) throws(ModelError) {
        guard ftruncate(draft, 0) == 0 else { throw failure("written", path, errno) }
        var position = 0
        while position < text.count {
            let count = text.withUnsafeBytes {
                pwrite(draft, $0.baseAddress?.advanced(by: position), text.count - position, off_t(position))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure("written", path, count < 0 ? errno : EIO) }
            position += count
        }
        guard fchmod(draft, 0o644) == 0, fsync(draft) == 0 else { throw failure("written", path, errno) }
        guard rename(draftPath, path) == 0 else { throw failure("replaced", path, errno) }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw failure("flushed", folder, errno) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure("flushed", folder, errno) }
    }

    private func failure(_ what: String, _ path: String, _ number: Int32) -> ModelError {
        let reason = String(cString: strerror(number))
        switch number {
        case EACCES, EPERM, EROFS, ELOOP:
            return ModelError(
                .accessDenied,
                "\(path) can't be \(what) by this instance of the daemon, which runs as user \(geteuid()): \(reason).")
        case ENOSPC, EDQUOT: return ModelError(.storageFull, "\(path) can't be \(what): \(reason).")
        default: return ModelError(.storageFailed, "\(path) can't be \(what): \(reason).")
        }
    }
}
