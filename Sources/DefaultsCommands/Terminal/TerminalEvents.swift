import Glibc
import LibDBus

/// What comes from the terminal while something is on it: keys, a stop and its end, another size, an interruption.
///
/// One thread only, the one that runs the loop. Signals don't interrupt the process from `init` on.
final class TerminalEvents {
    /// What was typed.
    var onKeys: ([UInt8]) -> Void = { _ in }
    /// The screen may show anything now.
    var onExposed: () -> Void = {}
    /// A signal asks to stop.
    var onInterrupt: () -> Void = {}
    /// Standard output can't be written.
    var onFailure: (Failure) -> Void = { _ in }

    private let terminal: Terminal
    private let output: Output
    private let signals: SignalDescriptor
    private var keyboard: (any IOSource)?

    /// Takes the terminal and its signals over.
    init(_ terminal: Terminal, output: Output, loop: PollLoop) throws(Failure) {
        self.terminal = terminal
        self.output = output
        signals = try SignalDescriptor([SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH])
        terminal.enter()
        _ = loop.addIO(fd: signals.number, events: .readable) { [self] _ in signals.take().forEach(handle) }
        if terminal.hasKeys {
            keyboard = loop.addIO(fd: STDIN_FILENO, events: terminal.ownsKeyboard ? .readable : []) { [self] in readKeys($0) }
        }
    }

    private func readKeys(_ events: IOEvents) {
        guard events.contains(.readable) else {
            keyboard?.cancel()
            return
        }
        guard terminal.ownsKeyboard else {
            keyboard?.events = []
            return
        }
        let bytes = terminal.readKeys()
        if bytes.isEmpty { keyboard?.cancel() }
        onKeys(bytes)
    }

    private func handle(_ signal: Int32) {
        switch signal {
        case SIGTSTP:
            terminal.leave()
            do throws(Failure) {
                try output.flush()
            } catch {
                onFailure(error)
            }
            // What SIGTSTP would have done. SIGCONT is waiting when this returns.
            kill(getpid(), SIGSTOP)
        case SIGCONT:
            terminal.enter()
            keyboard?.events = terminal.ownsKeyboard ? .readable : []
            onExposed()
        case SIGWINCH: onExposed()
        default: onInterrupt()
        }
    }
}
