import DBusTypes
import DefaultsInterface
import DefaultsManifest
import Glibc

/// The commands on all that is stored of a user or an application.
enum TransferCommands {
    /// `export [DOMAIN…] [--onboarding]`.
    static func export(_ context: CommandContext) throws(Failure) -> ExitStatus {
        var options: [(String, Value)] = [("onboarding", .boolean(context.invocation.has("--onboarding")))]
        if !context.invocation.operands.isEmpty { options.append(("domains", .array(context.invocation.operands))) }
        let reply = try context.connect().call(AdminInterface.name, AdminInterface.export, [.vardict(options)])
        guard case .unixFD(let file)? = reply.values.first else {
            throw Failure("defaultsd answered with something else than the file asked for", status: .unavailable)
        }
        do throws(MemoryFile.Failure) {
            context.output.text(String(decoding: try MemoryFile.read(file.number), as: UTF8.self))
        } catch {
            throw Failure("the export can't be read: \(error.operation): \(error.reason)", status: .storage)
        }
        return .success
    }

    /// `import FILE [--replace]`.
    static func importFile(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let path = context.invocation.requiredOperand(0)
        let text: [UInt8]
        do throws(TextFile.Failure) {
            text =
                path == "-"
                ? try TextFile.read(descriptor: STDIN_FILENO, limit: MemoryFile.maximumSize)
                : try TextFile.read(path, limit: MemoryFile.maximumSize, waits: true)
        } catch {
            throw Failure("\(TextEscaping.safe(path)) can't be read: \(error.text)", status: .invalid)
        }
        let file = try memoryFile(text)
        let mode = context.invocation.has("--replace") ? "replace" : "merge"
        let reply = try context.connect().call(
            AdminInterface.name, AdminInterface.importFile, [.unixFD(file), .string(mode)])
        let counts = try reply.dictionary(0)
        if !context.output.isQuiet { try context.output.result(.dictionary(counts)) { counts.lines } }
        return .success
    }

    private static func memoryFile(_ text: [UInt8]) throws(Failure) -> UnixFD {
        do throws(MemoryFile.Failure) {
            return UnixFD(owning: try MemoryFile.make(text, name: "defaultsctl-import")) { close($0) }
        } catch {
            throw Failure("the file can't be handed over: \(error.operation): \(error.reason)", status: .storage)
        }
    }

    /// `forget APP`.
    static func forget(_ context: CommandContext) throws(Failure) -> ExitStatus {
        _ = try context.connect().call(AdminInterface.name, AdminInterface.forget, [context.text(0)])
        return .success
    }
}
