import DBusTypes
import LibDBus

/// What a method answered; anything but what the interface says is a named failure.
struct Reply {
    /// The method.
    let member: MemberName
    /// Its results.
    let values: [Value]

    /// The result at `index`.
    func get<T: ValueConvertible>(_ index: Int, as type: T.Type = T.self) throws(Failure) -> T {
        guard index < values.count, let value = T(dbusValue: values[index]) else { throw unexpected(T.dbusType) }
        return value
    }

    /// The dictionary at `index`.
    func dictionary(_ index: Int) throws(Failure) -> DictionaryValue {
        guard index < values.count, case .dictionary(let dictionary) = values[index], dictionary.keyType == .string else {
            throw unexpected(.dictionary(key: .string, value: .variant))
        }
        return dictionary
    }

    /// The structures in the array at `index`, whose type is `type`.
    func structures(_ index: Int, _ type: DBusType) throws(Failure) -> [[Value]] {
        guard index < values.count, values[index].type == type, case .array(let array) = values[index] else {
            throw unexpected(type)
        }
        return array.values.map { value in
            guard case .structure(let fields) = value else { preconditionFailure("an array of \(type.text) has other elements") }
            return fields
        }
    }

    private func unexpected(_ type: DBusType) -> Failure {
        let answer = values.map(\.type.text).joined()
        return Failure("defaultsd answered \(member) with (\(answer)), where \(type.text) was expected", status: .unavailable)
    }
}
