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
    private var input: Int32
    private var hasEnded = false
    private var received: [UInt8] = []

    /// Starts a program, with its standard input and output in pipes, and its standard error in a file where one is named.
    public init(_ words: [String], environment: [String: String] = [:], errors: String? = nil) throws {
        let (outRead, outWrite) = try Self.pipe()
        let (inRead, inWrite) = try Self.pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inRead, 0)
        posix_spawn_file_actions_adddup2(&actions, outWrite, 1)
        if let errors { posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
        var variables: [String] = environment.map { "\($0.key)=\($0.value)" }
        for name in ["PATH", "HOME"] where environment[name] == nil {
            if let value = getenv(name) { variables.append("\(name)=\(String(cString: value))") }
        }
        var identifier: pid_t = 0
        let arguments = words.map { strdup($0) } + [nil]
        let environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        let result = posix_spawnp(&identifier, words[0], &actions, nil, arguments, environment)
        close(outWrite)
        close(inRead)
        output = outRead
        input = inWrite
        self.identifier = identifier
        guard result == 0 else {
            close(output)
            close(input)
            throw BenchmarkFailure("\(words[0]) can't be started: \(String(cString: strerror(result)))")
        }
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw BenchmarkFailure("pipe: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Waits for its end; the exit status, or 128 and the signal's number.
    @discardableResult
    public func wait() -> Int32 {
        guard !hasEnded else { return 0 }
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
        hasEnded = true
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
    }

    /// Ends it with SIGKILL, if it hasn't ended.
    public func end() {
        if !hasEnded { kill(identifier, SIGKILL) }
        wait()
    }

    deinit {
        end()
        close(output)
        closeInput()
    }

    /// Ends its input, at which peers end.
    public func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Waits for a line of its output, or for its end, which is nil.
    public func readLine() -> String? {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(output, &bytes, bytes.count)
            guard count > 0 else { return nil }
            received += bytes[..<count]
        }
    }

    /// Writes a line to its input; to a program that has ended, nothing.
    public func writeLine(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(input, line, line.count)
    }

    /// Has it take so many samples, as peers do that are programs of their own: a number in, a line of samples out.
    public func ask(_ count: Int) throws -> [Double] {
        writeLine("\(count)")
        guard let line = readLine() else { throw BenchmarkFailure("a peer has ended before it answered") }
        let samples = line.split(separator: " ").compactMap { Double($0) }
        guard samples.count == count else { throw BenchmarkFailure("a peer has answered \"\(line)\" for \(count) samples") }
        return samples
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

    /// How often its threads have gone to sleep and been woken since they began.
    public func wakeUps() throws -> Int { try Self.wakeUps(of: identifier) }

    /// How often the threads of any process have gone to sleep and been woken since they began.
    public static func wakeUps(of identifier: pid_t) throws -> Int {
        let folder = "/proc/\(identifier)/task"
        guard let stream = opendir(folder) else { throw BenchmarkFailure("process \(identifier) has ended") }
        defer { closedir(stream) }
        var sum = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard Int(name) != nil else { continue }
            let line = Self.text("\(folder)/\(name)/status").split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt") }
            sum += line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }
        return sum
    }

    /// Its resident memory in KiB: all of it, and the anonymous part.
    public func memory() -> (resident: Int, anonymous: Int) { Self.memory(of: identifier) }

    /// The resident memory of any process in KiB: all of it, and the anonymous part.
    public static func memory(of identifier: pid_t) -> (resident: Int, anonymous: Int) {
        let lines = Self.text("/proc/\(identifier)/status").split(separator: "\n")
        func kibibytes(_ name: String) -> Int {
            let words = lines.first { $0.hasPrefix(name + ":") }?.split(whereSeparator: { $0 == "\t" || $0 == " " })
            return words.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        }
        return (kibibytes("VmRSS"), kibibytes("RssAnon"))
    }

    /// What a small file holds; nothing where it can't be read.
    public static func text(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
