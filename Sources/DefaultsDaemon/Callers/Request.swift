import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

/// A call on its way through the daemon: answered exactly once, counted until then.
final class Request {
    let call: IncomingCall
    let caller: Caller
    private let callers: Callers

    init(_ call: IncomingCall, _ caller: Caller, _ callers: Callers) {
        self.call = call
        self.caller = caller
        self.callers = callers
        caller.unanswered += 1
    }

    func answer(_ result: Result<[Value], ModelError>) {
        switch result {
        case .success(let values):
            call.reply(values)
            callers.pace(caller, after: call.answerSize)
        case .failure(let error):
            callers.note(error, call)
            call.fail(DBusError(error))
        }
        callers.answered(caller)
    }
}

extension DBusError {
    /// The error on the wire of an error of the model.
    init(_ error: ModelError) {
        self.init(error.code.errorName, error.message)
    }
}

extension ModelError.Code {
    /// The name on the wire; where D-Bus has a word of its own for it, that one.
    var errorName: ErrorName {
        switch self {
        case .accessDenied: .accessDenied
        case .unknownObject: .unknownObject
        case .noSuchKey: ErrorNames.noSuchKey
        case .invalidName: ErrorNames.invalidName
        case .invalidValue: ErrorNames.invalidValue
        case .invalidArgument: ErrorNames.invalidArgument
        case .invalidVersion: ErrorNames.invalidVersion
        case .typeMismatch: ErrorNames.typeMismatch
        case .outOfRange: ErrorNames.outOfRange
        case .locked: ErrorNames.locked
        case .limitExceeded: ErrorNames.limitExceeded
        case .revisionMismatch: ErrorNames.revisionMismatch
        case .notFound: ErrorNames.notFound
        case .alreadyExists: ErrorNames.alreadyExists
        case .alreadyFinished: ErrorNames.alreadyFinished
        case .notYetSkippable: ErrorNames.notYetSkippable
        case .storageFull: ErrorNames.storageFull
        case .storageFailed: ErrorNames.storageFailed
        case .storageReadOnly: ErrorNames.storageReadOnly
        case .unavailable: ErrorNames.unavailable
        }
    }
}
