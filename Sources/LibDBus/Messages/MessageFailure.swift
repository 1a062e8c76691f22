import DBusTypes

/// Why values don't go into a message.
enum MessageFailure: Error {
    case tooLarge(limit: Int)
    case arrayTooLong
    case nestedTooDeeply
    case signatureTooLong
    case embeddedNull
    case tooManyDescriptors
    case descriptorNotDuplicated
    case noMemory

    /// The failure as callers see it.
    var error: DBusError {
        switch self {
        case .tooLarge(let limit):
            DBusError(.limitsExceeded, "the message is larger than this bus takes (\(limit) bytes)")
        case .arrayTooLong:
            DBusError(.limitsExceeded, "an array is longer than D-Bus allows (\(WireLimits.arrayBytes) bytes)")
        case .nestedTooDeeply:
            DBusError(.limitsExceeded, "a value nests deeper than D-Bus allows (\(WireLimits.nesting) levels, variants included)")
        case .signatureTooLong:
            DBusError(
                .limitsExceeded,
                "the type of a value is no D-Bus signature: at most \(Signature.maximumLength) bytes, no empty structure")
        case .embeddedNull:
            DBusError(.invalidArgs, "a text contains U+0000, which D-Bus can't carry")
        case .tooManyDescriptors:
            DBusError(.limitsExceeded, "a message carries at most \(MessageWriter.maximumDescriptors) file descriptors")
        case .descriptorNotDuplicated:
            DBusError(.failed, "a file descriptor can't be sent: it is closed, or this process has too many open")
        case .noMemory:
            DBusError(.noMemory, "there is no memory for the message")
        }
    }
}
