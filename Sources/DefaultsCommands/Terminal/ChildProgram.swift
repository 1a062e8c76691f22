import Glibc

/// A program that this one runs, with the same terminal, files and environment.
struct ChildProgram {
    /// Its process.
    private let identifier: pid_t

    /// Starts a program, found in PATH, with its arguments.
    ///
    /// It gets `mask` for its blocked signals, and `signals` as they are by default. Fails as a shell does: 127 where there is no such program, 126
    /// where it can't be run. The corresponding C function is posix_spawnp.
    init(_ words: [String], mask: sigset_t, restoring signals: [Int32]) throws(Failure) {
        guard let program = words.first else { preconditionFailure("a command has at least one word") }
        var (mask, defaults) = (mask, sigset_t())
        sigemptyset(&defaults)
        for signal in signals { sigaddset(&defaults, signal) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        arguments.append(nil)
        defer { arguments.forEach { free($0) } }
        var identifier: pid_t = 0
        let number = posix_spawnp(&identifier, program, nil, &attributes, arguments, environ)
        guard number == 0 else {
            throw Failure(
                "\(TextEscaping.safe(program)) can't be run: \(String(cString: strerror(number)))",
                status: ExitStatus(rawValue: number == ENOENT ? 127 : 126))
        }
        self.identifier = identifier
    }

    /// How it ended, as shells say it: its exit status, or 128 and the signal that ended it; nil while it runs.
    ///
    /// To be asked until it is known, and not again. The corresponding C function is waitpid.
    var status: ExitStatus? {
        var status: Int32 = 0
        guard waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
        let signal = status & 0x7F
        return ExitStatus(rawValue: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
    }

    /// Sends it a signal.
    func send(_ signal: Int32) { kill(identifier, signal) }

    /// The signals that this process blocks.
    static var signalMask: sigset_t {
        var mask = sigset_t()
        sigprocmask(SIG_BLOCK, nil, &mask)
        return mask
    }

    /// Whether this process ignores a signal.
    static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0, let handler = action.__sigaction_handler.sa_handler else { return false }
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
