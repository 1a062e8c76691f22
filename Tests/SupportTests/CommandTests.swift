import Glibc
import Support
import Testing

@Suite("Programs run from tests")
struct CommandTests {
    let environment = ["PATH": "/usr/bin:/bin", "GREETING": "hello"]

    @Test("Exit code, output, errors and input, with exactly the given environment")
    func run() throws {
        let result = try Command.run(
            "sh", ["-c", "cat; echo \"$GREETING $HOME\" >&2; exit 3"], environment: environment, input: "one\ntwo\n")
        #expect(result.status == .exited(3))
        #expect(result.code == 3)
        #expect(result.output == "one\ntwo\n")
        #expect(result.errors == "hello \n")
    }

    @Test("More than a pipe holds goes in and out without either side waiting for the other")
    func large() throws {
        let input = String(repeating: "0123456789abcdef", count: 65_536)
        let result = try Command.run("cat", environment: environment, input: input)
        #expect(result.output == input)
    }

    @Test("A program that doesn't read its input is no failure")
    func unreadInput() throws {
        let result = try Command.run("true", environment: environment, input: String(repeating: "x", count: 1_000_000))
        #expect(result.status == .exited(0))
    }

    @Test("A signal's end is told from an exit")
    func signalled() throws {
        let result = try Command.run("sh", ["-c", "kill -TERM $$"], environment: environment)
        #expect(result.status == .signalled(SIGTERM))
        #expect(result.code == nil)
    }

    @Test("Lines can be had while the program runs")
    func lines() throws {
        let command = try Command("sh", ["-c", "echo ready >&2; echo one; echo two; exec sleep 600"], environment: environment)
        try command.waitForErrors(containing: "ready")
        #expect(try command.nextLine() == "one")
        #expect(try command.nextLine() == "two")
        #expect(command.process.poll() == nil)
        command.process.send(SIGINT)
        #expect(try command.nextLine() == nil)
        #expect(try command.finish().status == .signalled(SIGINT))
    }

    @Test("A program that hangs fails at the deadline, and is ended")
    func deadline() throws {
        let identifier: pid_t
        do {
            let command = try Command("sleep", ["600"], environment: environment)
            identifier = command.process.identifier
            let failure = try #require(throws: TestFailure.self) { try command.finish(until: .after(.milliseconds(50))) }
            #expect(failure.description.contains("0.05 seconds"))
        }
        #expect(kill(identifier, 0) != 0 && errno == ESRCH)
    }

    @Test("An exit test is noticed although another child has ended and nobody asked how")
    func exitTestBesideEndedChild() async throws {
        let child = try ChildProcess("true", environment: environment)
        await #expect(processExitsWith: .success) {}
        #expect(try child.wait() == .exited(0))
    }

    @Test("A program that isn't there is named")
    func absent() throws {
        let failure = try #require(throws: TestFailure.self) { try Command.run("/no/such-program", environment: environment) }
        #expect(failure.description == "/no/such-program can't be started: No such file or directory")
    }
}
