import CLinux
import Glibc

/// Signals as something to read, so that they are handled between two events and not in the middle of one.
///
/// From `init` on they don't interrupt the process any more. One thread only.
final class SignalDescriptor {
    /// Becomes readable when a signal has come.
    let number: Int32

    /// Takes the signals over for the rest of the process's life.
    init(_ signals: [Int32]) throws(Failure) {
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in signals { sigaddset(&mask, signal) }
        // Both can fail only of arguments that are wrong here, or of a full table of open files.
        guard sigprocmask(SIG_BLOCK, &mask, nil) == 0 else {
            preconditionFailure("sigprocmask refuses a set of valid signals: \(errno)")
        }
        number = clinux_open_signals(&mask)
        guard number >= 0 else {
            throw Failure("signals can't be watched: \(String(cString: strerror(errno)))", status: .unavailable)
        }
    }

    deinit { close(number) }

    /// The signals that have come since, each once.
    func take() -> [Int32] {
        var signals: [Int32] = []
        // The size of signalfd_siginfo, which begins with the signal's number.
        var record = [UInt32](repeating: 0, count: 32)
        while read(number, &record, record.count * 4) == record.count * 4 { signals.append(Int32(record[0])) }
        return signals
    }
}
