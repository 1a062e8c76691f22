import CSupport
import Glibc

/// A pipe whose one end a child gets; both ends are closed when it goes.
final class Pipe {
    private(set) var readEnd: Int32
    private(set) var writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard csupport_pipe(&ends) == 0 else { throw TestFailure("pipe2: \(String(cString: strerror(errno)))") }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        closeReadEnd()
        closeWriteEnd()
    }

    func closeReadEnd() {
        if readEnd >= 0 { close(readEnd) }
        readEnd = -1
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }

    /// Reads what is there, up to 64 KiB; nil at the end, which closes the read end.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(readEnd, &buffer, buffer.count)
        guard count > 0 else {
            if count == 0 { closeReadEnd() }
            return count == 0 ? nil : []
        }
        return Array(buffer.prefix(count))
    }

    /// Waits for a whole line, returned without its end; nil where there is none before the end.
    func readLine(until deadline: Deadline) throws -> String? {
        var bytes: [UInt8] = []
        while bytes.last != UInt8(ascii: "\n") {
            guard try deadline.poll([pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)]) != nil else {
                throw TestFailure("no line had come through the pipe \(deadline)")
            }
            guard let more = read() else { return nil }
            bytes += more
        }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}
