import DBusTypes
import DefaultsInterface
import LibDBus

extension Failure {
    /// An error from the daemon, the bus or the way there, with the exit status that its name stands for.
    init(_ error: DBusError) {
        self.init(Self.sentence(error), status: ExitStatus(error.name))
    }

    /// The error's own message where it says enough; where it comes from the way to the daemon, what that means.
    private static func sentence(_ error: DBusError) -> String {
        switch error.name {
        case .serviceUnknown, .nameHasNoOwner:
            "defaultsd is not running on this bus, and the bus has no way to start it; --system or --address choose another bus"
        case .noReply, .timeout, .timedOut: "defaultsd does not answer: \(TextEscaping.safe(error.message))"
        case .disconnected: "the connection to the bus was lost"
        default:
            error.message.isEmpty
                ? "defaultsd answered \(error.name) without saying why" : TextEscaping.safe(CommandWords.message(error.message))
        }
    }
}

extension ExitStatus {
    /// The exit status that an error's name stands for.
    ///
    /// A name that isn't listed comes from the bus or the way to it, and means that the daemon could not be asked.
    init(_ name: ErrorName) {
        self =
            switch name {
            case ErrorNames.noSuchKey, ErrorNames.notFound, ErrorNames.unknownObject: .no
            case ErrorNames.invalidName, ErrorNames.invalidValue, ErrorNames.invalidArgument, ErrorNames.invalidVersion,
                ErrorNames.typeMismatch, ErrorNames.outOfRange, ErrorNames.limitExceeded, ErrorNames.invalidArgs, .limitsExceeded:
                .invalid
            case ErrorNames.storageFull, ErrorNames.storageFailed, ErrorNames.storageReadOnly: .storage
            case ErrorNames.revisionMismatch, ErrorNames.alreadyExists, ErrorNames.alreadyFinished, ErrorNames.notYetSkippable:
                .notNow
            case ErrorNames.locked, ErrorNames.accessDenied, ErrorNames.propertyReadOnly: .denied
            case .badAddress: .usage
            default: .unavailable
            }
    }
}
