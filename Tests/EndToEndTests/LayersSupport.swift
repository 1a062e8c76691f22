import DBusTypes
import DefaultsInterface
import Glibc
import Support

/// A configuration folder of a test's own.
struct ConfigurationFolder {
    let path: String

    /// Names a folder beside the bus's files; `config` is the one that every daemon of a test reads.
    init(_ bus: PrivateBus, _ name: String = "config") { path = bus.folder + "/" + name }

    /// Replaces a file as a careful program does: written beside it, and renamed over it.
    func replace(_ name: String, _ text: String) throws {
        try makeFolders(name)
        let draft = "\(path)/\(name).new"
        unlink(draft)
        try text.write(toNewFile: draft)
        guard rename(draft, "\(path)/\(name)") == 0 else { throw TestFailure("rename: \(String(cString: strerror(errno)))") }
    }

    /// Writes a file as a careless editor does: cut to nothing first, closed at the end.
    func overwrite(_ name: String, _ text: String) throws {
        try makeFolders(name)
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw TestFailure("open \(name): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard write(file, bytes, bytes.count) == bytes.count else { throw TestFailure("write \(name) failed") }
    }

    /// Removes a file.
    func remove(_ name: String) throws {
        guard unlink("\(path)/\(name)") == 0 else { throw TestFailure("unlink \(name): \(String(cString: strerror(errno)))") }
    }

    /// What a file has now.
    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)") }

    private func makeFolders(_ name: String) throws {
        var folder = path
        for element in name.split(separator: "/").dropLast().reduce(into: [""], { $0.append("/" + $1) }) {
            folder += element
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
                throw TestFailure("mkdir \(folder): \(String(cString: strerror(errno)))")
            }
        }
    }
}

extension Client {
    /// The keys that are locked.
    func locked(_ domain: String) throws -> [String]? {
        try preferences(PreferencesInterface.listLocked, .string(domain)).first?.get()
    }

    /// What `Admin` says of the configuration files.
    func policy() throws -> DictionaryValue? {
        try call(
            "org.freedesktop.DBus.Properties", "Get", .string(AdminInterface.name.text), .string(AdminInterface.policy.text)
        )
        .first?.get(as: Value.self)?.dictionary
    }

    /// The signals of one kind so far.
    func signals(_ member: MemberName) -> [Signal] { signals.filter { $0.member == member } }
}
