import CSupport
import Glibc

/// A thread of a process that stands still until this is thawed or goes: what the process does meanwhile is no matter of luck.
///
/// Freeze and thaw on one thread: the kernel takes them from no other.
public final class FrozenThread {
    private let identifier: pid_t
    private var isFrozen = true

    /// Stops the thread called `name` of a process, and returns once it stands still.
    public init(_ name: String, of process: ChildProcess) throws {
        identifier = try Self.find(name, of: process.identifier)
        guard csupport_freeze_thread(identifier) == 0 else {
            throw TestFailure("thread \(name) can't be stopped: \(String(cString: strerror(errno)))")
        }
    }

    deinit { thaw() }

    /// Lets the thread run on; twice is no error.
    public func thaw() {
        guard isFrozen else { return }
        isFrozen = false
        csupport_thaw_thread(identifier)
    }

    private static func find(_ name: String, of process: pid_t) throws -> pid_t {
        let folder = "/proc/\(process)/task"
        for task in try folder.namesInFolder() where try String(contentsOfFile: "\(folder)/\(task)/comm") == name + "\n" {
            if let identifier = pid_t(task) { return identifier }
        }
        throw TestFailure("process \(process) has no thread called \(name)")
    }
}
