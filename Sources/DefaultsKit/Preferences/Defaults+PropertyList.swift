import DBusTypes
import DefaultsInterface
import FoundationEssentials

extension Defaults {
    /// The preference that says which property lists were taken over.
    private static let importedKey = "defaultskit.imported"

    /// Takes over the property list that `UserDefaults` kept for this application, once; returns how many preferences it set.
    ///
    /// The file may be an XML or a binary one. Booleans, integers, reals, texts, dates and data become `b`, `x`, `d`, `s`, `x` and `ay`, arrays
    /// of one type `aT`, others `av`, dictionaries `a{sv}`. A real without a fraction is read as an integer and becomes `x`, which a key for
    /// a `Double` takes as well. What the user has set since stays, and so does what is locked. All of it is on
    /// disk when this returns, together with a note of the file's name, so that no later call takes it again, in whatever process; the
    /// file stays as it is.
    ///
    ///     try await defaults.importPropertyList(at: "/home/ada/.config/org.example.Editor.plist")
    ///
    /// - Throws: what reading and decoding the file throws; a ``DefaultsError`` where the daemon can't be reached or refuses it, and then
    ///   nothing was set.
    @discardableResult
    public func importPropertyList(at path: String) async throws -> Int {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let entries = try PropertyListDecoder().decode(
            [String: PropertyListValue].self, from: Data(contentsOf: URL(filePath: path)))
        while true {
            let all = try await call(PreferencesInterface.name, PreferencesInterface.getAll, [.string(app)])
            guard all.count == 2, let effective = all[0].dictionary else { throw DefaultsError.unreachable }
            let imported = effective[Self.importedKey]?.get(as: [String].self) ?? []
            if imported.contains(name) { return 0 }
            var values: [(String, Value)] = []
            let locked = try await call(PreferencesInterface.name, PreferencesInterface.listLocked, [.string(app)])
            let isLocked = Set(locked.first?.get(as: [String].self) ?? [])
            for (key, entry) in entries.sorted(by: { $0.key < $1.key }) where !isLocked.contains(key) {
                if effective[key] != nil, try await isSetByUser(key) { continue }
                values.append((key, try encode(entry, key)))
            }
            let note = (Self.importedKey, Value.array(imported + [name]))
            // Where it isn't done someone else wrote meanwhile, perhaps the same.
            if try await apply(values + [note], at: all[1]) { return values.count }
        }
    }

    /// Sets preferences where the domain still has a revision; says whether it did.
    private func apply(_ values: [(String, Value)], at revision: Value) async throws(DefaultsError) -> Bool {
        do throws(DefaultsError) {
            _ = try await write(PreferencesInterface.apply, [.string(app), .vardict(values), .array([String]()), revision])
            return true
        } catch  where error.code == .revisionMismatch {
            return false
        }
    }

    private func encode(_ entry: PropertyListValue, _ key: String) throws(DefaultsError) -> Value {
        do throws(ValueCodingError) {
            return try entry.encoded()
        } catch {
            throw DefaultsError(error, key: key)
        }
    }

    /// Whether the application's user layer has a value.
    private func isSetByUser(_ key: String) async throws(DefaultsError) -> Bool {
        let reply = try await call(PreferencesInterface.name, PreferencesInterface.describe, [.string(app), .string(key)])
        guard case .array(let layers)? = reply.first?.dictionary?["layers"] else { return false }
        return layers.values.contains { layer in
            guard case .structure(let fields) = layer, fields.count == 3 else { return false }
            return fields[0] == .string("user") && fields[1] == .string(app)
        }
    }
}

/// One value of a property list.
private enum PropertyListValue: Decodable {
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case text(String)
    case date(Date)
    case data(Data)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode(Date.self) {
            self = .date(value)
        } else if let value = try? container.decode(Data.self) {
            self = .data(value)
        } else if let value = try? container.decode([PropertyListValue].self) {
            self = .array(value)
        } else {
            self = .dictionary(try container.decode([String: PropertyListValue].self))
        }
    }

    func encoded() throws(ValueCodingError) -> Value {
        switch self {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .int64(value)
        case .unsigned(let value): return .uint64(value)
        case .real(let value): return .double(value)
        case .text(let value): return try value.encoded()
        case .date(let value): return try value.encoded()
        case .data(let value): return try value.encoded()
        case .array(let elements):
            var values: [Value] = []
            for element in elements { values.append(try element.encoded()) }
            if let type = values.first?.type, let array = ArrayValue(of: type, values) { return .array(array) }
            return .array(ArrayValue(unchecked: values.map { .variant($0) }, of: .variant))
        case .dictionary(let entries):
            var values: [(String, Value)] = []
            for (key, entry) in entries.sorted(by: { $0.key < $1.key }) { values.append((key, try entry.encoded())) }
            return .vardict(values)
        }
    }
}
