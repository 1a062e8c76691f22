import Glibc

/// Stands in for systemd: the datagram socket that NOTIFY_SOCKET names (sd_notify(3)).
public final class NotifySocket {
    /// What belongs into NOTIFY_SOCKET.
    public let path: String
    private let descriptor: Int32

    /// Makes a socket at a path of at most 107 bytes where nothing is yet.
    public init(path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw TestFailure("socket: \(String(cString: strerror(errno)))") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            guard path.utf8.count < buffer.count else { return false }
            buffer.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { throw TestFailure("\(path) is too long for the address of a socket") }
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw TestFailure("bind \(path): \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Waits until `process` sends a datagram with the line `assignment`, such as `READY=1`; throws where the process ends first.
    public func wait(for assignment: String, from process: ChildProcess, until deadline: Deadline = .inTenSeconds) throws {
        _ = try datagrams(upTo: assignment, from: process, until: deadline)
    }

    /// The lines of each datagram up to one that has the line `assignment`, which is waited for; throws where the process ends first.
    public func datagrams(
        upTo assignment: String, from process: ChildProcess, until deadline: Deadline = .inTenSeconds
    ) throws -> [[String]] {
        var datagrams: [[String]] = []
        while true {
            let entries = try deadline.poll([
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0),
            ])
            guard let entries else { throw TestFailure("\(assignment) had not come \(deadline); what came: \(datagrams)") }
            if entries[0].revents != 0 {
                datagrams.append(receive())
                if datagrams.last?.contains(assignment) == true { return datagrams }
            } else if let status = process.poll() {
                throw TestFailure("the process ended with \(status) before it sent \(assignment)")
            }
        }
    }

    /// The lines of the next datagram; none where there is no datagram.
    public func receive() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
