import DBusTypes
import DefaultsManifest

/// `check FILE…`: what the daemon would say of configuration files, and what it would let pass, without it.
enum CheckCommand {
    /// Prints one line a fault; exit 65 where there is any.
    static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let faults = check(context.invocation.operands).map(\.description)
        try context.output.result(.array(faults)) { faults.map(TextEscaping.safe) }
        return faults.isEmpty ? .success : .invalid
    }

    /// What is wrong with the files, each by itself and all together; those that can't be read come last.
    static func check(_ paths: [String]) -> [Diagnostic] {
        var files = ConfigurationCheck()
        var unreadable: [Diagnostic] = []
        for path in paths {
            do throws(TextFile.Failure) {
                files.add(try TextFile.read(path), path: path)
            } catch {
                unreadable.append(Diagnostic(path, "can't be read: \(error.text)"))
            }
        }
        return files.diagnostics + unreadable
    }
}
