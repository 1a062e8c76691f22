import DBusTypes
import DefaultsInterface

/// The commands that only tips have.
enum TipCommands {
    /// `tip donate APP EVENT [COUNT]`.
    static func donate(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let count = try count(context.invocation.operand(2))
        let reply = try context.connect().call(
            TipsInterface.name, TipsInterface.donate, [context.text(0), context.text(1), .uint32(count)])
        try context.output.value(.uint64(try reply.get(0)))
        return .success
    }

    /// `tip snooze APP TIP SECONDS`.
    static func snooze(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let text = context.invocation.requiredOperand(2)
        guard let milliseconds = CountdownCommand.milliseconds(text) else {
            throw .usage("SECONDS is a number with at most three decimals, not \"\(text)\"", ["tip", "snooze"])
        }
        _ = try context.connect().call(
            TipsInterface.name, TipsInterface.snooze, [context.text(0), context.text(1), .uint64(milliseconds)])
        return .success
    }

    /// How many events are meant; one where nothing is said.
    static func count(_ text: String?) throws(Failure) -> UInt32 {
        guard let text else { return 1 }
        do throws(NumberText.Problem) {
            return try NumberText.integer(text)
        } catch {
            throw .usage("COUNT is a whole number from 0 to \(UInt32.max), not \"\(text)\"", ["tip", "donate"])
        }
    }
}
