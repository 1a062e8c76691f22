import Glibc

/// A condition that the operating system answered to the event loop.
///
/// Most are a lack of file descriptors or memory; what can only be a bug traps instead.
public struct EventLoopError: Error, Hashable, CustomStringConvertible {
    /// The C function that failed.
    public let operation: String
    /// The `errno` value, positive.
    public let code: Int32

    init(_ operation: StaticString, _ code: Int32) {
        self.operation = operation.description
        self.code = code
    }

    /// The function and the system's text for the code: `sd_event_add_io: Operation not permitted`.
    public var description: String { "\(operation): \(String(cString: strerror(code)))" }
}

/// Passes a result of libsystemd on; a negative one is an `errno` value and is thrown.
@discardableResult
func check(_ result: Int32, _ operation: StaticString) throws(EventLoopError) -> Int32 {
    guard result >= 0 else { throw EventLoopError(operation, -result) }
    return result
}

/// Traps on a result of libsystemd that only a bug in this module or in its caller can bring about.
///
/// A loop that has ended refuses changes with ESTALE: what is taken down after it may still make some, to no effect.
func require(_ result: Int32, _ operation: StaticString) {
    precondition(result >= 0 || result == -ESTALE, "\(EventLoopError(operation, -result))")
}
