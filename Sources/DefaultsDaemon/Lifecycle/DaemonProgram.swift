import DBusTypes
import DefaultsInterface
import EventLoop
import Glibc

/// The program `defaultsd`.
public enum DaemonProgram {
    /// Does what the words after the program's name say; returns the exit status.
    ///
    /// Call it from the main thread before any other thread is started: it blocks signals that the loop reads.
    public static func run(_ words: [String]) -> Int32 {
        let options: DaemonOptions
        do throws(OptionParser.UsageError) {
            options = try OptionParser.parse(words)
        } catch {
            StandardStream.error.write("defaultsd: \(error.message)\nTry 'defaultsd --help'.\n")
            return ExitStatus.usage
        }
        switch options.action {
        case .help:
            StandardStream.output.write(Help.text)
            return ExitStatus.success
        case .version:
            StandardStream.output.write("defaultsd \(WellKnown.version)\n")
            return ExitStatus.success
        case .introspect(let directory):
            return IntrospectionFiles.write(to: directory)
        case .serve:
            return serve(options)
        }
    }

    private static func serve(_ options: DaemonOptions) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        ProcessLimits.openStandardStreams()
        ProcessLimits.allowManyDescriptors()
        do throws(StartError) {
            guard let store = Paths.store(options, environment: Paths.environmentVariable) else {
                throw StartError(
                    ExitStatus.storeFailed, "There is no home to keep the store in; name a folder with --store=DIRECTORY.")
            }
            return try Daemon(options, storeDirectory: store).run()
        } catch {
            Log.write(.error, error.message)
            return error.status
        }
    }
}

/// The interfaces' XML files, made from the descriptions that the daemon serves by.
enum IntrospectionFiles {
    static func write(to directory: String) -> Int32 {
        for interface in Interfaces.all {
            let path = "\(directory)/\(interface.name).xml"
            let text = interface.nodeXML
            guard let file = fopen(path, "we"), fputs(text, file) >= 0, fclose(file) == 0 else {
                Log.write(.error, "\(path) can't be written: \(String(cString: strerror(errno))).")
                return ExitStatus.cannotCreate
            }
        }
        return ExitStatus.success
    }
}
