import DBusTypes
import LibDBus
import Support
import Testing

@Suite("Calls")
struct CallTests {
    @Test("a method's answer and its error both come back under their names")
    func answers() throws {
        let pair = try Pair()
        #expect(try pair.ask(EchoHandler.interface, "Add", [.int32(40), .int32(2)]) == [.int32(42)])
        let error = try pair.error(EchoHandler.interface, "Add", [.int32(.max), .int32(1)])
        #expect(error == DBusError("org.example.Error.Overflow", "2147483647 + 1 is no int32"))
    }

    @Test("a waiting call works without a loop")
    func waiting() throws {
        let bus = try PrivateBus()
        let connection = try BusConnection(address: bus.address)
        let names = try connection.call(.bus, .bus, .bus, "ListNames")
        let texts: [String]? = names.first?.get()
        #expect(texts?.contains(connection.uniqueName.text) == true)
        let busID = try connection.busID()
        #expect(busID.utf8.count == 32)
        #expect(try connection.busID() == busID)
    }

    @Test("a waiting call that isn't answered ends at its deadline")
    func waitingTimeout() throws {
        let pair = try Pair()
        let start = ContinuousClock.now
        let error = #expect(throws: DBusError.self) {
            try pair.client.call(pair.service.uniqueName, "/", EchoHandler.interface, "Drop", timeout: 100)
        }
        #expect(error?.isTimeout == true)
        #expect(.now - start >= .milliseconds(100))
    }

    @Test("an asynchronous call that isn't answered ends at its deadline, with nothing else going on")
    func asynchronousTimeout() throws {
        let pair = try Pair()
        var answer: Result<[Value], DBusError>?
        let start = ContinuousClock.now
        pair.client.send(
            pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Later", timeout: 100
        ) { answer = $0 }
        #expect(answer == nil)
        pair.wait(for: "the deadline") { answer != nil }
        #expect(.now - start >= .milliseconds(100))
        let error = #expect(throws: DBusError.self) { try answer?.get() }
        #expect(error?.isTimeout == true)
        // The answer that comes too late finds no one.
        #expect(pair.echo.postponed.count == 1)
        pair.echo.postponed.removeFirst().reply()
        #expect(try pair.ask(EchoHandler.interface, "Add", [.int32(1), .int32(1)]) == [.int32(2)])
    }

    @Test("deadlines are kept in whatever order they come")
    func deadlines() throws {
        let pair = try Pair()
        var order: [Int] = []
        for milliseconds in [300, 100, 200] {
            pair.client.send(
                pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Later", timeout: milliseconds
            ) { _ in order.append(milliseconds) }
        }
        pair.wait(for: "three deadlines") { order.count == 3 }
        #expect(order == [100, 200, 300])
    }

    @Test("a cancelled call's completion isn't called")
    func cancelled() throws {
        let pair = try Pair()
        let call = pair.client.send(
            pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Add", [.int32(1), .int32(1)]
        ) { _ in Issue.record("the completion of a cancelled call was called") }
        call.cancel()
        call.cancel()
        #expect(try pair.ask(EchoHandler.interface, "Add", [.int32(1), .int32(1)]) == [.int32(2)])
    }

    @Test("an answer that came in during a waiting call is delivered without further traffic")
    func answeredMeanwhile() throws {
        let pair = try Pair()
        var first: Result<[Value], DBusError>?
        pair.client.send(.bus, .bus, .bus, "GetId") { first = $0 }
        _ = try pair.client.call(.bus, .bus, .bus, "ListNames")
        #expect(first == nil)
        pair.wait(for: "the first answer", seconds: 2) { first != nil }
        #expect(try first?.get().count == 1)
    }

    @Test("1,000 calls at once are answered, in order")
    func many() throws {
        let pair = try Pair()
        var sums: [Int32] = []
        for number in 0..<Int32(1_000) {
            pair.client.send(
                pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Add", [.int32(number), .int32(1)]
            ) { if case .success(let values) = $0, case .int32(let sum)? = values.first { sums.append(sum) } }
        }
        pair.wait(for: "all answers") { sums.count == 1_000 }
        #expect(sums == Array(1...1_000))
    }

    @Test("a handler may close its own connection; what was asked of it ends with Disconnected")
    func closeInside() throws {
        let pair = try Pair()
        var endings: [DBusError?] = []
        pair.client.send(pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Later") { result in
            if case .failure(let error) = result { endings.append(error) } else { endings.append(nil) }
        }
        pair.client.send(.bus, .bus, .bus, "GetId") { _ in pair.client.close() }
        pair.wait(for: "the end of the open call") { endings.count == 1 }
        #expect(endings.first??.isDisconnected == true)
        #expect(!pair.client.isConnected)
    }

    @Test("a waiting call inside a handler is a bug, and says which call it was")
    func waitingInside() async throws {
        let bus = try PrivateBus()
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [address = bus.address as String] in
            let connection = try BusConnection(address: address)
            let loop = PollLoop()
            connection.attach(to: loop)
            connection.send(.bus, .bus, .bus, "GetId") { _ in _ = try? connection.call(.bus, .bus, .bus, "ListNames") }
            loop.run(deadline: .now + .seconds(5))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("ListNames is called with waiting inside a handler; use send"))
        bus.stop()
    }

    @Test("a call without an answer wanted gets none")
    func posted() throws {
        let pair = try Pair()
        let before = pair.echo.count
        try pair.client.post(pair.service.uniqueName, "/org/example/echo", EchoHandler.interface, "Add", [.int32(1), .int32(1)])
        pair.wait(for: "the call") { pair.echo.count == before + 1 }
    }

    @Test("NO_AUTO_START calls to a name without owner fail at once")
    func noAutoStart() throws {
        let pair = try Pair()
        let error = #expect(throws: DBusError.self) {
            try pair.client.call("org.example.Nobody", "/", "a.b", "C", flags: .noAutoStart)
        }
        #expect(error?.name == .nameHasNoOwner)
        let started = #expect(throws: DBusError.self) { try pair.client.call("org.example.Nobody", "/", "a.b", "C") }
        #expect(started?.name == .serviceUnknown)
    }
}
