import EventLoop
import Glibc
import Testing

@Suite("File descriptors")
struct DescriptorTests {
    /// Both ends of a stream socket pair, closed when it goes.
    final class Pair {
        let near: Int32
        let far: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
            (near, far) = (ends[0], ends[1])
        }

        func closeFar() { close(far) }

        deinit { close(near) }
    }

    @Test("Readable as long as there is something to read, then the hang-up")
    func readable() throws {
        let loop = try EventLoop()
        let pair = try Pair()
        var seen: [EventLoop.IOEvents] = []
        let source = try loop.addIO(fd: pair.near, events: .readable) { events in
            seen.append(events)
            switch seen.count {
            case 1: break  // Not read: level-triggered, it comes again.
            case 2:
                var byte: UInt8 = 0
                #expect(read(pair.near, &byte, 1) == 1)
                pair.closeFar()
            default: loop.exit()
            }
        }
        #expect(write(pair.far, "x", 1) == 1)
        _ = try loop.run()
        #expect(seen.prefix(2) == [.readable, .readable])
        #expect(seen.last?.contains(.hangUp) == true)
        #expect(source.events == .readable)
    }

    @Test("Events can be changed while the loop runs; with none asked for, nothing but the hang-up comes")
    func changeEvents() throws {
        let loop = try EventLoop()
        let pair = try Pair()
        var seen: [EventLoop.IOEvents] = []
        var source: EventLoop.IOSource?
        source = try loop.addIO(fd: pair.near, events: []) { events in
            seen.append(events)
            if events == .writable { source?.events = [] }
            if events.contains(.hangUp) { loop.exit() }
        }
        let timer = try loop.addTimer {
            if seen.isEmpty { source?.events = .writable } else { pair.closeFar() }
        }
        let again = try loop.addTimer { timer.arm(at: 0) }
        timer.arm(at: SystemTime.boottime + 5_000_000)
        again.arm(at: SystemTime.boottime + 15_000_000)
        _ = try loop.run()
        #expect(seen.first == .writable)
        #expect(seen.count == 2)
    }

    @Test("Cancelled inside its handler, a source is never called again and its descriptor can be added anew")
    func cancelInside() throws {
        let loop = try EventLoop()
        let pair = try Pair()
        var calls = 0
        var again: EventLoop.IOSource?
        var source: EventLoop.IOSource?
        source = try loop.addIO(fd: pair.near, events: .writable) { _ in
            calls += 1
            source?.cancel()
            source?.cancel()
            source?.events = .readable
            again = try? loop.addIO(fd: pair.near, events: .writable) { _ in loop.exit() }
            if again == nil { loop.exit(1) }
        }
        #expect(try loop.run() == 0)
        #expect(calls == 1)
        #expect(source?.isCancelled == true)
        #expect(source?.events == [])
        pair.closeFar()
    }

    @Test("A descriptor that can't be waited for, or is watched already, is an error that names it")
    func refused() throws {
        let loop = try EventLoop()
        let file = open("/proc/self/exe", O_RDONLY)
        defer { close(file) }
        #expect(try #require(throws: EventLoopError.self) { try loop.addIO(fd: file, events: .readable) { _ in } }.code == EPERM)
        #expect(try #require(throws: EventLoopError.self) { try loop.addIO(fd: -1, events: .readable) { _ in } }.code == EBADF)
        let pair = try Pair()
        _ = try loop.addIO(fd: pair.near, events: .readable) { _ in }
        let twice = try #require(throws: EventLoopError.self) { try loop.addIO(fd: pair.near, events: .writable) { _ in } }
        #expect(twice.description == "sd_event_add_io: File exists")
        pair.closeFar()
    }
}
