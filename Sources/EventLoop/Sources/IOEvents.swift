import CSystemd

extension EventLoop {
    /// What can happen on a file descriptor, as in epoll(7).
    public struct IOEvents: OptionSet, Hashable, Sendable {
        /// The bits that epoll uses.
        public let rawValue: UInt32

        /// Takes the bits that epoll uses.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// There is something to read, or the other side has closed.
        public static let readable = IOEvents(rawValue: EPOLLIN.rawValue)
        /// Writing would not block.
        public static let writable = IOEvents(rawValue: EPOLLOUT.rawValue)
        /// An error is pending; always reported, asked for or not.
        public static let error = IOEvents(rawValue: EPOLLERR.rawValue)
        /// The other side is gone; always reported, asked for or not.
        public static let hangUp = IOEvents(rawValue: EPOLLHUP.rawValue)
    }
}
