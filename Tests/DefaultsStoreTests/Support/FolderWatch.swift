import Glibc
import Testing

/// Waits for a file to get its name.
final class FolderWatch {
    private let descriptor: Int32

    /// Begins to watch; what happens from now on is not missed.
    init(_ folder: String) throws {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        try #require(descriptor >= 0 && inotify_add_watch(descriptor, folder, UInt32(IN_MOVED_TO)) >= 0)
    }

    deinit { close(descriptor) }

    /// Waits until a file is renamed to `name`; an error after 20 s.
    func waitForRename(to name: String) throws {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&waiting, 1, 20_000) == 1, "\(name) gets its name within 20 s")
            let count = read(descriptor, &buffer, buffer.count)
            try #require(count > 0)
            if buffer[..<count].map({ $0 }).position(of: name + "\0") != nil { return }
        }
    }
}
