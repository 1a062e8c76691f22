import Glibc

/// A condition that keeps a benchmark from being run.
public struct BenchmarkFailure: Error, CustomStringConvertible {
    /// The sentence that says so.
    public let description: String

    /// Names the condition.
    public init(_ description: String) { self.description = description }
}

/// A program under measurement, or one that it needs: ended with SIGKILL when the last reference to this goes.
public final class ChildProcess {
    /// The process's number.
    public let identifier: pid_t
    private let output: Int32
    private var hasEnded = false

    /// Starts a program, with its standard output in a pipe.
    public init(_ words: [String], environment: [String: String] = [:]) throws {
        var pipe: [Int32] = [0, 0]
        guard Glibc.pipe(&pipe) == 0 else { throw BenchmarkFailure("pipe: \(String(cString: strerror(errno)))") }
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        var variables: [String] = environment.map { "\($0.key)=\($0.value)" }
        for name in ["PATH", "HOME"] where environment[name] == nil {
            if let value = getenv(name) { variables.append("\(name)=\(String(cString: value))") }
        }
        var identifier: pid_t = 0
        let arguments = words.map { strdup($0) } + [nil]
        let environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        let result = posix_spawnp(&identifier, words[0], &actions, nil, arguments, environment)
        close(pipe[1])
        output = pipe[0]
        self.identifier = identifier
        guard result == 0 else {
            close(output)
            throw BenchmarkFailure("\(words[0]) can't be started: \(String(cString: strerror(result)))")
        }
    }

    /// Waits for its end.
    public func wait() {
        var status: Int32 = 0
        if !hasEnded { waitpid(identifier, &status, 0) }
        hasEnded = true
    }

    deinit {
        if !hasEnded { kill(identifier, SIGKILL) }
        wait()
        close(output)
    }

    /// Waits for a line of its output, or for its end, which is nil.
    public func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    /// What it has used of the processors so far, in nanoseconds, over all of its threads.
    public func cpuTime() throws -> Int64 {
        let folder = "/proc/\(identifier)/task"
        guard let stream = opendir(folder) else { throw BenchmarkFailure("process \(identifier) has ended") }
        defer { closedir(stream) }
        var sum: Int64 = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard Int(name) != nil else { continue }
            // Runtime, waiting time, turns; a thread that has just ended has none.
            let fields = Self.text("\(folder)/\(name)/schedstat").split(separator: " ")
            sum += fields.first.flatMap { Int64($0) } ?? 0
        }
        return sum
    }

    /// Its resident memory in KiB: all of it, and the anonymous part.
    public func memory() -> (resident: Int, anonymous: Int) {
        let lines = Self.text("/proc/\(identifier)/status").split(separator: "\n")
        func kibibytes(_ name: String) -> Int {
            let words = lines.first { $0.hasPrefix(name + ":") }?.split(whereSeparator: { $0 == "\t" || $0 == " " })
            return words.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        }
        return (kibibytes("VmRSS"), kibibytes("RssAnon"))
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
