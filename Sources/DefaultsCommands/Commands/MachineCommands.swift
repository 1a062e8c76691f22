import DBusTypes
import DefaultsInterface

/// The commands of the administrator.
enum MachineCommands {
    /// `machine set-default DOMAIN KEY VALUE`.
    static func setDefault(_ context: CommandContext) throws(Failure) -> ExitStatus {
        try set(context, MachineInterface.setDefault)
    }

    /// `machine set-mandatory DOMAIN KEY VALUE`.
    static func setMandatory(_ context: CommandContext) throws(Failure) -> ExitStatus {
        try set(context, MachineInterface.setMandatory)
    }

    /// `machine reset-default DOMAIN KEY`.
    static func resetDefault(_ context: CommandContext) throws(Failure) -> ExitStatus {
        try call(context, MachineInterface.resetDefault, [context.text(0), context.text(1)])
    }

    /// `machine reset-mandatory DOMAIN KEY`.
    static func resetMandatory(_ context: CommandContext) throws(Failure) -> ExitStatus {
        try call(context, MachineInterface.resetMandatory, [context.text(0), context.text(1)])
    }

    /// `machine reload`.
    static func reload(_ context: CommandContext) throws(Failure) -> ExitStatus {
        try call(context, MachineInterface.reload, [])
    }

    private static func set(_ context: CommandContext, _ member: MemberName) throws(Failure) -> ExitStatus {
        let expression = try WriteExpression(context.invocation.tokens(afterOperands: 2))
        guard case .value(let value) = expression else {
            preconditionFailure("\(context.invocation.command.name) has no option that builds on a value that is there")
        }
        return try call(context, member, [context.text(0), context.text(1), .variant(value)])
    }

    private static func call(
        _ context: CommandContext, _ member: MemberName, _ arguments: [Value]
    ) throws(Failure) -> ExitStatus {
        // Where polkit asks a person, the answer takes as long as a password does to type.
        _ = try context.connect().callPatiently(MachineInterface.name, member, arguments)
        return .success
    }
}
