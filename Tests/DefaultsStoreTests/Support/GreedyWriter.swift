import Glibc
import Support
import Synchronization

/// A thread that takes every block of a disk as soon as it is free, as a program does that goes on logging when the disk is full.
final class GreedyWriter: Sendable {
    private let descriptor: Int32
    private let isStopped = Atomic<Bool>(false)
    private let isOver = Atomic<Bool>(false)

    /// Begins to write to a new file.
    init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TestFailure("open \(path): \(String(cString: strerror(errno)))") }
        var thread = pthread_t()
        let created = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<GreedyWriter>.fromOpaque(context).takeRetainedValue().write() }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        guard created == 0 else { throw TestFailure("pthread_create: \(String(cString: strerror(created)))") }
        pthread_detach(thread)
    }

    private func write() {
        let block = [UInt8](repeating: 0, count: 4_096)
        while !isStopped.load(ordering: .relaxed) { _ = Glibc.write(descriptor, block, block.count) }
        close(descriptor)
        isOver.store(true, ordering: .releasing)
    }

    /// Ends it; nothing is written any more when this returns.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        while !isOver.load(ordering: .acquiring) { sched_yield() }
    }
}
