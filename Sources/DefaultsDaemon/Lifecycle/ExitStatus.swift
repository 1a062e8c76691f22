/// The exit statuses of `defaultsd`, those of sysexits.h.
enum ExitStatus {
    static let success: Int32 = 0
    /// EX_USAGE: the command line is wrong.
    static let usage: Int32 = 64
    /// EX_UNAVAILABLE: there is no bus, or it went away.
    static let noBus: Int32 = 69
    /// EX_SOFTWARE: the event loop or the system refused something that can't be done without.
    static let software: Int32 = 70
    /// EX_CANTCREAT: an explicit store can't be a directory.
    static let cannotCreate: Int32 = 73
    /// EX_IOERR: the store can't be read.
    static let storeFailed: Int32 = 74
    /// EX_TEMPFAIL: the name or the store is another daemon's.
    static let inUse: Int32 = 75
}
