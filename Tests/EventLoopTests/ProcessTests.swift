import EventLoop
import Glibc
import Testing

/// What concerns a whole process, its signals and its environment: each test has one of its own.
@Suite("Signals and the service manager")
struct ProcessTests {
    @Test("Signals come to the loop, each with its number, instead of ending the process")
    func signals() async {
        await #expect(processExitsWith: .success) {
            try EventLoop.blockSignals([SIGTERM, SIGHUP])
            let loop = try EventLoop()
            var seen: [Int32] = []
            for number in [SIGTERM, SIGHUP] {
                _ = try loop.addSignal(number) { number in
                    seen.append(number)
                    if seen.count == 2 { loop.exit() }
                }
            }
            // In this thread: another one of the test runner, which blocks nothing, would take them for the process.
            pthread_kill(pthread_self(), SIGTERM)
            pthread_kill(pthread_self(), SIGHUP)
            _ = try loop.run()
            #expect(seen.sorted() == [SIGHUP, SIGTERM])
        }
    }

    @Test("A signal that was not blocked beforehand is blocked when it is added")
    func blockedByAdding() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            _ = try loop.addSignal(SIGUSR1) { _ in loop.exit() }
            pthread_kill(pthread_self(), SIGUSR1)
            #expect(try loop.run() == 0)
        }
    }

    @Test("What is no signal is refused", arguments: [0, -1, 65, 1_000] as [Int32])
    func noSignal(number: Int32) throws {
        let error = try #require(throws: EventLoopError.self) { try EventLoop.blockSignals([number]) }
        #expect(error.description == "sigaddset: Invalid argument")
    }

    @Test("The service manager gets each notification as sd_notify(3) has it")
    func notifications() async {
        await #expect(processExitsWith: .success) {
            let manager = try ServiceManager()
            #expect(try EventLoop.notify(.ready))
            #expect(manager.receive() == "READY=1")
            #expect(try EventLoop.notify(.status("two\nlines")))
            #expect(manager.receive() == "STATUS=two lines")
            #expect(try EventLoop.notify(.stopping))
            #expect(manager.receive() == "STOPPING=1")
            let before = SystemTime.monotonic / 1_000
            #expect(try EventLoop.notify(.reloading))
            let lines = manager.receive().split(separator: "\n")
            #expect(lines.first == "RELOADING=1")
            let time = try #require(lines.last.flatMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) })
            #expect(time >= before)
        }
    }

    @Test("With WATCHDOG_USEC set, the loop tells the manager that it lives; without, it says so")
    func watchdog() async {
        await #expect(processExitsWith: .success) {
            let manager = try ServiceManager()
            let loop = try EventLoop()
            unsetenv("WATCHDOG_USEC")
            unsetenv("WATCHDOG_PID")
            #expect(try !loop.enableWatchdog())
            setenv("WATCHDOG_USEC", "40000", 1)
            #expect(try loop.enableWatchdog())
            let source = try loop.addIO(fd: manager.socket, events: .readable) { _ in
                #expect(manager.receive() == "WATCHDOG=1")
                loop.exit()
            }
            _ = try loop.run()
            source.cancel()
        }
    }

    @Test("No manager is no error; one that is gone is")
    func noManager() async {
        await #expect(processExitsWith: .success) {
            unsetenv("NOTIFY_SOCKET")
            #expect(try !EventLoop.notify(.ready))
            setenv("NOTIFY_SOCKET", "/nonexistent/notify", 1)
            let error = try #require(throws: EventLoopError.self) { try EventLoop.notify(.ready) }
            #expect(error.code == ENOENT)
        }
    }
}

/// Stands in for systemd: a datagram socket whose address this process has in NOTIFY_SOCKET.
private final class ServiceManager {
    let socket: Int32

    init() throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        // Only the family: the kernel picks an abstract name.
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var length = socklen_t(MemoryLayout<sa_family_t>.size)
        let socket = socket
        let name = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = bind(socket, pointer, length)
                length = socklen_t(MemoryLayout<sockaddr_un>.size)
                _ = getsockname(socket, pointer, &length)
            }
            return withUnsafeBytes(of: pointer.pointee.sun_path) { Array($0.prefix(Int(length) - 2).dropFirst()) }
        }
        try #require(!name.isEmpty)
        setenv("NOTIFY_SOCKET", "@" + String(decoding: name, as: UTF8.self), 1)
    }

    func receive() -> String {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(socket, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    deinit { close(socket) }
}
