import CLinux
import DBusTypes
import DefaultsModel
import Glibc
import LibDBus
import Support
import Testing

@testable import DefaultsDaemon

@Suite("Whose sandbox a process is in")
struct SandboxTests {
    @Test(
        "The application's name is the entry of its group, and of no other",
        arguments: [
            ("[Application]\nname=org.example.App\n", "org.example.App"),
            (
                "# by Flatpak\n\n[Instance]\nname=org.example.Other\n[Application]\nruntime=x\n name = org.example.App \r\n",
                "org.example.App"
            ),
            ("[Application]\nname=org.example.App\nname=org.example.Later", "org.example.App"),
            ("[Application]\nnames=org.example.App\n[Runtime]\nname=org.example.Platform\n", nil),
            ("name=org.example.App\n", nil), ("[Application]\nname\n", nil), ("", nil),
        ] as [(String, String?)])
    func name(_ text: String, _ expected: String?) {
        #expect(Sandbox.applicationName(text) == expected)
    }

    @Test("This process is in none, and one that has ended is gone, also where its number is another's by now")
    func processes() throws {
        let own = UInt32(getpid())
        #expect(Sandbox.find(Credentials(userID: getuid(), processID: own)) == .none)
        let child = try ChildProcess("true", environment: [:])
        let number = UInt32(child.identifier)
        let descriptor = try processDescriptor(child.identifier)
        try child.wait()
        #expect(Sandbox.find(Credentials(userID: getuid(), processID: number)) == .gone)
        // As if the number had gone on to this process: the descriptor still says that the one who connected has ended.
        #expect(Sandbox.find(Credentials(userID: getuid(), processID: own, processDescriptor: descriptor)) == .gone)
        guard case .unknown = Sandbox.find(Credentials(userID: getuid(), processID: nil)) else {
            Issue.record("a process that the bus doesn't name is no one's")
            return
        }
    }

    private func processDescriptor(_ process: pid_t) throws -> UnixFD {
        let number = clinux_open_process(process)
        guard number >= 0 else { throw TestFailure("pidfd_open: \(String(cString: strerror(errno)))") }
        return UnixFD(owning: number) { close($0) }
    }

    @Test("Flatpak's folder is a trace of sandboxes; so is a sandboxed caller")
    func traces() throws {
        let folder = try TemporaryFolder()
        var traces = SandboxTraces { $0 == "XDG_RUNTIME_DIR" ? folder.path : nil }
        #expect(!traces.mayExist)
        _ = try folder.makeFolder(".flatpak")
        #expect(traces.mayExist)
        #expect(rmdir(folder.path(".flatpak")) == 0)
        #expect(!traces.mayExist)
        traces.meet()
        #expect(traces.mayExist)
    }

    @Test("Connections that called lately stay known, whatever comes between, and the number known is bounded")
    func cache() throws {
        let app = try #require(DomainName("org.example.App"))
        var cache = IdentityCache()
        func name(_ number: Int) -> BusName { BusName(":1.\(number)") ?? ":1.0" }
        #expect(cache.find(name(1)) == .none)
        for number in 1...10_000 {
            cache.insert(name(number), number.isMultiple(of: 2) ? app : nil)
            #expect(cache.find(name(2)) == (number < 2 ? .none : .some(app)))
        }
        let known = (1...10_000).count { cache.find(name($0)) != .none }
        #expect((IdentityCache.capacity...2 * IdentityCache.capacity).contains(known))
    }
}
