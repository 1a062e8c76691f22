import DefaultsManifest
import EventLoop
import Glibc

/// Watches the configuration folders by inotify, also those that aren't there yet.
///
/// Of a folder that is missing, the nearest one above that exists is watched for the next name on the way down.
final class FolderWatch {
    /// What is of interest in one watched folder.
    private struct Interest {
        var names: Set<String> = []
        var takesConfiguration = false
        var path = ""

        mutating func merge(_ other: Interest) {
            names.formUnion(other.names)
            takesConfiguration = takesConfiguration || other.takesConfiguration
        }
    }

    /// Names that come and go, rights to them, and the folder itself; a file counts when its writer has closed it.
    private static let mask =
        UInt32(
            IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
        | UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD)
    private static let folderMask = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_Q_OVERFLOW)
    /// A folder that comes while its parent is looked at is looked for again, not for ever.
    private static let attempts = 8

    private let folders: [String]
    private let descriptor: Int32
    private var source: EventLoop.IOSource?
    private var interests: [Int32: Interest] = [:]
    private let onChange: () -> Void
    /// The files and folders that could not be read: other rights to them may make that right.
    var unreadable: Set<String> = []

    /// Begins to watch; nil where the kernel gives no inotify instance, which is logged.
    init?(_ folders: [String], on loop: EventLoop, onChange: @escaping () -> Void) {
        self.folders = folders.map(Self.absolute)
        self.onChange = onChange
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            Log.write(.warning, "The configuration folders can't be watched (\(reason)); SIGHUP has them read again.")
            return nil
        }
        do throws(EventLoopError) {
            source = try loop.addIO(fd: descriptor, events: .readable) { [unowned self] _ in readEvents() }
        } catch {
            Log.write(.warning, "The configuration folders can't be watched (\(error)); SIGHUP has them read again.")
            close(descriptor)
            return nil
        }
    }

    deinit {
        source?.cancel()
        close(descriptor)
    }

    /// Watches what is there now; call it before the folders are read, so that nothing is missed between the two.
    func renew() {
        var wanted: [Int32: Interest] = [:]
        for folder in folders { watch(folder, attempts: Self.attempts, &wanted) }
        for number in interests.keys where wanted[number] == nil { _ = inotify_rm_watch(descriptor, number) }
        interests = wanted
    }

    private func watch(_ folder: String, attempts: Int, _ wanted: inout [Int32: Interest]) {
        let kinds = ConfigurationFile.Kind.allCases.map(\.folder)
        if add(folder, Interest(names: Set(kinds)), &wanted) {
            for kind in kinds { _ = add("\(folder)/\(kind)", Interest(takesConfiguration: true), &wanted) }
            return
        }
        var missing = folder
        while missing != "/" {
            let (parent, name) = Self.split(missing)
            if add(parent, Interest(names: [name]), &wanted) {
                // It may have come before its parent was watched.
                if access(missing, F_OK) == 0 && attempts > 0 { watch(folder, attempts: attempts - 1, &wanted) }
                return
            }
            missing = parent
        }
    }

    private func add(_ path: String, _ interest: Interest, _ wanted: inout [Int32: Interest]) -> Bool {
        let number = inotify_add_watch(descriptor, path, Self.mask)
        guard number >= 0 else {
            if errno != ENOENT && errno != ENOTDIR && errno != EACCES {
                Log.write(.warning, "\(path) can't be watched: \(String(cString: strerror(errno))).")
            }
            return false
        }
        wanted[number, default: Interest(path: path)].merge(interest)
        return true
    }

    // MARK: Events

    private func readEvents() {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var isChanged = false
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            buffer.withUnsafeBytes { bytes in
                var position = 0
                // wd, mask, cookie, the length of the name; then the name, padded by zeros (inotify(7)).
                while position + 16 <= count {
                    let number = bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)
                    let mask = bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
                    let length = Int(bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self))
                    let name = bytes[(position + 16)..<min(count, position + 16 + length)].prefix { $0 != 0 }
                    if matters(number, mask, String(decoding: name, as: UTF8.self)) { isChanged = true }
                    position += 16 + length
                }
            }
        }
        if isChanged { onChange() }
    }

    private func matters(_ number: Int32, _ mask: UInt32, _ name: String) -> Bool {
        if mask & Self.folderMask != 0 { return true }
        guard let interest = interests[number] else { return false }
        // Of what could be read, new rights change nothing, and its writer may be at work yet.
        if mask & UInt32(IN_ATTRIB) != 0 { return unreadable.contains("\(interest.path)/\(name)") }
        if interest.names.contains(name) { return mask & UInt32(IN_CLOSE_WRITE) == 0 }
        guard interest.takesConfiguration, ConfigurationReader.isConfiguration(name) else { return false }
        if mask & UInt32(IN_CREATE) == 0 { return true }
        // A file that was just made is read when it is closed; a link has all its contents at once.
        var status = stat()
        guard lstat("\(interest.path)/\(name)", &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1
    }

    // MARK: Paths

    private static func absolute(_ path: String) -> String {
        var path = path
        if !path.hasPrefix("/"), let folder = getcwd(nil, 0) {
            path = String(cString: folder) + "/" + path
            free(folder)
        }
        while path.utf8.count > 1 && path.hasSuffix("/") { path.removeLast() }
        return path
    }

    private static func split(_ path: String) -> (parent: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("/", path) }
        let parent = String(path[..<slash])
        return (parent.isEmpty ? "/" : parent, String(path[path.index(after: slash)...]))
    }
}
