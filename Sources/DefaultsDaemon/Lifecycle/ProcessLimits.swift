import Glibc

/// What a daemon must make sure of before it opens anything.
enum ProcessLimits {
    /// Opens /dev/null where one of the standard streams is closed.
    ///
    /// The next descriptor opened would take its number, and a line of the log would go to the bus.
    static func openStandardStreams() {
        while true {
            let descriptor = open("/dev/null", O_RDWR)
            guard descriptor >= 0 else { return }
            if descriptor > 2 {
                close(descriptor)
                return
            }
        }
    }

    /// Raises the soft limit of open files to the hard one: callers send descriptors along, sixteen a message.
    static func allowManyDescriptors() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
