import Glibc

/// A root folder like that of an application in a Flatpak sandbox: this machine's folders, and a `.flatpak-info`; only root can use one.
public struct SandboxRoot: Sendable {
    /// What stands where the `.flatpak-info` of a sandbox is.
    public enum Info: Sendable {
        /// What Flatpak writes for an application.
        case app(String)
        /// A file with this in it.
        case text(String)
        /// A folder.
        case folder
        /// Nothing: no sandbox, only another root.
        case none
    }

    /// Whether this process may make one.
    public static var isPossible: Bool { geteuid() == 0 }

    /// Has its mounts to itself, and ends up as the command in the new root, in the same process.
    private static let script = """
        set -e
        root=$1 info=$2
        shift 2
        mount -t tmpfs -o mode=755 sandbox "$root"
        for name in bin lib lib64 sbin usr etc proc dev tmp ${TMPDIR#/}; do
            if [ -L "/$name" ]; then cp -d "/$name" "$root/$name"
            elif [ -d "/$name" ]; then mkdir -p "$root/$name"; mount --rbind "/$name" "$root/$name"
            fi
        done
        cp -r "$info/." "$root"
        exec chroot "$root" "$@"
        """

    private let folder: TemporaryFolder
    private let info: String

    /// Makes the root of a sandbox.
    public init(_ info: Info) throws {
        folder = try TemporaryFolder()
        _ = try folder.makeFolder("root")
        self.info = try folder.makeFolder("info")
        let file = self.info + "/.flatpak-info"
        switch info {
        case .app(let name):
            let text = "[Application]\nname=\(name)\nruntime=runtime/org.example.Platform/x86_64/1\n\n[Instance]\ninstance-id=1\n"
            try text.write(toNewFile: file)
        case .text(let text): try text.write(toNewFile: file)
        case .folder: _ = try folder.makeFolder("info/.flatpak-info")
        case .none: break
        }
    }

    /// Runs a program in it to its end.
    public func run(
        _ tool: String, _ arguments: [String], environment: [String: String], until deadline: Deadline = .inTenSeconds
    ) throws -> Command.Result {
        try Command.run(
            "unshare", ["--mount", "sh", "-c", Self.script, "sh", folder.path("root"), info, tool] + arguments,
            environment: environment, until: deadline)
    }
}
