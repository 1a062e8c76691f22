/// What strace(1) does to system calls of the daemon that are about files of its store.
struct Injection: CustomStringConvertible {
    /// Which calls, by strace's name.
    let call: String
    /// What happens to them, as strace says it: `error=EIO`, `signal=KILL`.
    let action: String
    /// Which call it is, counted from 1 on each thread.
    let number: Int
    /// Whether all calls after it fare the same.
    var isLasting = false

    /// Whether strace must stop the daemon at all system calls: where it only stops at some, which is faster, it can neither let
    /// go of it nor send it signals.
    var needsEveryStop: Bool { isLasting || action.hasPrefix("signal") }

    /// The words that strace's `-e` takes.
    var expression: String { "inject=\(call):\(action):when=\(number)\(isLasting ? "+" : "")" }

    var description: String { "\(call) number \(number)\(isLasting ? " and on" : ""): \(action)" }
}
