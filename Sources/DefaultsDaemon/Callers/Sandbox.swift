import CLinux
import DBusTypes
import DefaultsManifest
import DefaultsModel
import Glibc
import LibDBus

/// Finds out in whose sandbox a process is, by the file that Flatpak puts into the root of each (P15).
///
/// The bus names the process that connected. What is read of it counts only if that process still lives afterwards: its number is then no other's. Where
/// the bus gives a descriptor of the process, it can't have become another's before either; where it doesn't (before dbus 1.15.8), a connection that
/// outlives its process would pass for whoever has the number next.
enum Sandbox {
    /// What was found.
    enum Finding: Equatable {
        /// It is in no sandbox.
        case none
        /// It is in the sandbox of an application.
        case app(DomainName)
        /// It has ended, and nothing can be found out any more.
        case gone
        /// It can't be told, and why.
        case unknown(String)
    }

    /// More than Flatpak ever writes about one application.
    private static let largestFile = 256 << 10

    /// Looks at the process behind a connection.
    static func find(_ credentials: Credentials) -> Finding {
        guard let process = credentials.processID else { return .unknown("the bus doesn't say which process it is") }
        if let descriptor = credentials.processDescriptor {
            return withExtendedLifetime(descriptor) { find(process) { hasEnded(descriptor.number) } }
        }
        let descriptor = clinux_open_process(Int32(bitPattern: process))
        guard descriptor >= 0 else {
            let number = errno
            // Linux before 5.3, and valgrind: the folder of a process in /proc is as good, whose files go with the process.
            if number == ENOSYS { return findByFolder(process) }
            return number == ESRCH ? .gone : .unknown("process \(process) can't be opened: \(text(number))")
        }
        defer { close(descriptor) }
        return find(process) { hasEnded(descriptor) }
    }

    private static func findByFolder(_ process: UInt32) -> Finding {
        let folder = open("/proc/\(process)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else {
            let number = errno
            return number == ENOENT ? .gone : .unknown("process \(process) can't be looked at: \(text(number))")
        }
        defer { close(folder) }
        return find(process) {
            var status = stat()
            return fstatat(folder, "stat", &status, 0) != 0
        }
    }

    private static func find(_ process: UInt32, hasEnded: () -> Bool) -> Finding {
        let root = clinux_open_root(Int32(bitPattern: process))
        guard root >= 0 else {
            let number = errno
            // A process that is about to end has no root any more.
            if number == ESRCH || number == ENOENT || hasEnded() { return .gone }
            return .unknown("the root of process \(process) can't be opened: \(text(number))")
        }
        defer { close(root) }
        let file = openat(root, ".flatpak-info", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        let number = errno
        if hasEnded() {
            if file >= 0 { close(file) }
            return .gone
        }
        guard file >= 0 else {
            if number == ENOENT { return .none }
            return .unknown("the .flatpak-info of process \(process) can't be opened: \(text(number))")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .unknown("the .flatpak-info of process \(process) is no regular file")
        }
        do throws(TextFile.Failure) {
            let bytes = try TextFile.read(descriptor: file, limit: largestFile)
            guard let name = applicationName(String(decoding: bytes, as: UTF8.self)), let app = DomainName(name), !app.isGlobal
            else { return .unknown("the .flatpak-info of process \(process) names no application") }
            return .app(app)
        } catch {
            return .unknown("the .flatpak-info of process \(process) can't be read: \(error.text)")
        }
    }

    /// The entry `name` of the group `Application` of a key file; nil where there is none, as in the sandbox of a bare runtime.
    static func applicationName(_ text: String) -> String? {
        var isInGroup = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = trimmed(line)
            if line.first == "[" {
                isInGroup = line == "[Application]"
            } else if isInGroup, let sign = line.firstIndex(of: "="), trimmed(line[..<sign]) == "name" {
                return String(trimmed(line[line.index(after: sign)...]))
            }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// A descriptor of a process is readable once it has ended.
    private static func hasEnded(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) != 0
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
