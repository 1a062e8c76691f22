import DBusTypes
import DefaultsManifest

/// `check FILE…`: what the daemon would say of configuration files, without it.
enum CheckCommand {
    /// Prints one line a fault; exit 65 where there is any.
    static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let faults = context.invocation.operands.flatMap(check).map(\.description)
        try context.output.result(.array(faults)) { faults.map(TextEscaping.safe) }
        return faults.isEmpty ? .success : .invalid
    }

    /// What is wrong with one file.
    static func check(_ path: String) -> [Diagnostic] {
        do throws(TextFile.Failure) {
            return ConfigurationFile(try TextFile.read(path), path: path).diagnostics
        } catch {
            return [Diagnostic(path, "can't be read: \(error.text)")]
        }
    }
}
