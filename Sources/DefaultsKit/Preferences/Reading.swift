import DBusTypes

/// What a look at a preference found.
///
///     switch defaults.reading(.theme).outcome {
///     case .value(let theme): apply(theme)
///     case .absent: apply(.light)
///     case .wrongType(let error), .undecodable(let error): report(error)   // what is stored stays as it is
///     case .unreachable: break                                             // nothing is known yet
///     }
public struct Reading<Value: DefaultsValue>: Sendable {
    /// What was found; four of the five are no value, and none of them is another.
    public enum Outcome: Sendable {
        /// The effective value.
        case value(Value)
        /// No layer has one.
        case absent
        /// What is stored has another type.
        case wrongType(ValueCodingError)
        /// What is stored has the right type, and means nothing to this program: perhaps a newer version wrote it.
        case undecodable(ValueCodingError)
        /// Nothing is known: there was no daemon yet since this process began to look.
        case unreachable
    }

    /// What was found.
    public let outcome: Outcome
    /// Whether a later change may already be answered elsewhere: the daemon can't be asked, and this is what it said last.
    public let isStale: Bool

    init(_ raw: RawReading) {
        isStale = raw.isStale
        guard let value = raw.value else {
            outcome = raw.isKnown ? .absent : .unreachable
            return
        }
        do throws(ValueCodingError) {
            outcome = .value(try Value.decoded(from: value))
        } catch {
            outcome = error.kind == .wrongType ? .wrongType(error) : .undecodable(error)
        }
    }

    /// The value, nil where there is none that this program can use.
    public var value: Value? { if case .value(let value) = outcome { value } else { nil } }

    /// The value, or the key's default where it is absent.
    func get(_ key: Key<Value>) throws(DefaultsError) -> Value {
        switch outcome {
        case .value(let value): return value
        case .absent: return key.defaultValue
        case .wrongType(let error), .undecodable(let error): throw DefaultsError(error, key: key.name)
        case .unreachable: throw .unreachable
        }
    }
}

extension Reading: Equatable where Value: Equatable {}
extension Reading.Outcome: Equatable where Value: Equatable {}
