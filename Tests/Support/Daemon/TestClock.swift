import DBusTypes
import DefaultsInterface
import LibDBus

/// The time of a daemon that was started with `--test-clock`: it stands still but for what is asked here.
public struct TestClock {
    private let connection: BusConnection

    /// Takes a connection to the daemon's bus.
    public init(_ connection: BusConnection) { self.connection = connection }

    /// Moves all clocks on; returns when all that fell due has happened.
    public func advance(milliseconds: UInt64) throws { try call(TestClockInterface.advance, .uint64(milliseconds)) }

    /// Sets the wall clock, in microseconds since the Unix epoch.
    public func setWall(microseconds: Int64) throws { try call(TestClockInterface.setWall, .int64(microseconds)) }

    /// Lets the machine sleep for so long.
    public func suspend(milliseconds: UInt64) throws { try call(TestClockInterface.suspend, .uint64(milliseconds)) }

    private func call(_ member: MemberName, _ argument: Value) throws {
        _ = try connection.call(WellKnown.busName, WellKnown.rootPath, TestClockInterface.name, member, [argument])
    }
}
