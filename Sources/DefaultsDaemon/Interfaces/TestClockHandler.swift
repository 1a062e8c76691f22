import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// `org.defaultsd1.TestClock`: moves the daemon's clock; there only with `--test-clock`.
final class TestClockHandler: RequestHandler {
    /// A hundred years in milliseconds: no sum with a clock overflows.
    private static let longest: UInt64 = 100 * 365 * 86_400_000

    let description = TestClockInterface.description
    private let clock: TestClock

    init(_ clock: TestClock) { self.clock = clock }

    func route(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        switch call.member {
        case TestClockInterface.advance: clock.advance(byNanoseconds: try nanoseconds(arguments))
        case TestClockInterface.suspend: clock.suspend(forNanoseconds: try nanoseconds(arguments))
        case TestClockInterface.setWall: clock.setWall(try arguments.get(0))
        default: preconditionFailure("\(call.member) is described and not served")
        }
        call.reply()
    }

    private func nanoseconds(_ arguments: Arguments) throws(ModelError) -> Int64 {
        let milliseconds: UInt64 = try arguments.get(0)
        guard milliseconds <= Self.longest else {
            throw ModelError(
                .invalidArgument, "\(milliseconds) ms is too long; the test clock moves by at most \(Self.longest) ms at once.")
        }
        return Int64(milliseconds) * 1_000_000
    }
}
