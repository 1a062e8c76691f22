import Glibc
import Support
import Synchronization

/// A thread that takes every block of a disk as soon as it is free, as a program does that goes on logging when the disk is full.
final class GreedyWriter: Sendable {
    /// What the two threads share.
    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    private let end = Flag()
    private let thread: TestThread

    /// Begins to write to a new file.
    init(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TestFailure("open \(path): \(String(cString: strerror(errno)))") }
        thread = try TestThread { [end] in
            let block = [UInt8](repeating: 0, count: 4_096)
            while !end.isSet.load(ordering: .relaxed) { _ = Glibc.write(descriptor, block, block.count) }
            close(descriptor)
        }
    }

    /// Ends it; nothing is written any more when this returns.
    func stop() {
        end.isSet.store(true, ordering: .relaxed)
        thread.join()
    }
}
