import DefaultsInterface
import Glibc

/// The program `defaultsctl`: reads its command line, runs the command, says what went wrong.
public enum CommandLineTool {
    /// Runs the command that the process was started with.
    ///
    /// To be called once, from the main thread. Results go to standard output, all else to standard error. Returns the exit status.
    public static func run() -> Int32 {
        do throws(Failure) {
            let request = try ArgumentParser.parse(try arguments(), commands: CommandTable.commands)
            return try perform(request).rawValue
        } catch {
            StandardStream.error.write(error.report)
            return error.status.rawValue
        }
    }

    private static func perform(_ request: Request) throws(Failure) -> ExitStatus {
        switch request {
        case .help(let path):
            let output = Output()
            output.text(HelpText.text(path))
            try output.flush()
            return .success
        case .version:
            let output = Output()
            try output.line("\(programName) \(WellKnown.version)")
            try output.flush()
            return .success
        case .run(let invocation):
            let output = Output(json: invocation.globals.json, isQuiet: invocation.globals.isQuiet)
            let status = try invocation.command.run(CommandContext(invocation: invocation, output: output))
            try output.flush()
            return status
        }
    }

    /// The words after the program's name, exactly: a word that isn't UTF-8 is refused rather than repaired into another.
    private static func arguments() throws(Failure) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[index] else { break }
            guard let word = String(validatingCString: bytes) else {
                throw .usage("argument \(index), \"\(TextEscaping.safe(String(cString: bytes)))\", is not valid UTF-8")
            }
            words.append(word)
        }
        return words
    }
}
