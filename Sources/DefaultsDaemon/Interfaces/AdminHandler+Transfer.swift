import DBusTypes
import DefaultsManifest
import DefaultsModel
import Glibc
import LibDBus

extension AdminHandler {
    /// Writes what the user has into a sealed file, as it is on disk once the caller's own writes are.
    func export(_ call: IncomingCall) throws(ModelError) {
        let options = try ExportOptions(try Arguments(call).dictionary(0))
        router.accept(call) { request, session in
            // Only in its turn is it known which domains there are, and so what must be in memory.
            let domains = options.domains ?? session.transferableDomains(for: request.caller)
            request.caller.performNext(
                Caller.Job(
                    session: session, domains: domains,
                    run: { session in
                        session.read(for: request.caller) { view throws(ModelError) in
                            let transfer = view.transfer(of: domains, onboarding: options.onboarding)
                            return [.unixFD(try Self.file(TransferFile.text(transfer)))]
                        } completion: {
                            request.answer($0)
                        }
                    }, fail: { request.answer(.failure($0)) }))
        }
    }

    private static func file(_ text: String) throws(ModelError) -> UnixFD {
        do throws(MemoryFile.Failure) {
            return UnixFD(owning: try MemoryFile.make(Array(text.utf8), name: "defaultsd-export")) { close($0) }
        } catch {
            throw ModelError(.limitExceeded, "The export can't be put into memory: \(error.operation): \(error.reason).")
        }
    }

    /// Takes over what a sealed file says, all of it or nothing.
    func importFile(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        guard case .unixFD(let descriptor)? = call.arguments.first else {
            throw ModelError(.invalidArgument, "Import takes a file descriptor.")
        }
        let word = try arguments.string(1)
        guard let mode = Transfer.Mode(rawValue: word) else {
            throw ModelError(.invalidArgument, "mode is \"\(word.forMessage)\"; it must be \"merge\" or \"replace\".")
        }
        if let problem = MemoryFile.problem(descriptor.number) {
            throw ModelError(.invalidArgument, "The file can't be imported: \(problem).")
        }
        let transfer = try Self.contents(descriptor.number)
        router.accept(call, needs: transfer.domains) { [router] request, session in
            let wall = router.clock.now.wall
            let writer = request.caller.name.text
            session.write(for: request.caller) { view throws(ModelError) in
                for app in transfer.onboarding.keys { session.sticky.forget(app: app) }
                return try transfer.outcome(mode, writer: writer, wall: wall, in: view)
            } completion: {
                request.answer($0)
            }
        }
    }

    private static func contents(_ descriptor: Int32) throws(ModelError) -> Transfer {
        let text: [UInt8]
        do throws(MemoryFile.Failure) {
            text = try MemoryFile.read(descriptor)
        } catch {
            throw ModelError(.invalidArgument, "The file can't be read: \(error.operation): \(error.reason).")
        }
        return try TransferFile.read(text)
    }
}
