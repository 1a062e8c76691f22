import Glibc

/// Says whether any application may have run in a sandbox in this session: what is taken of a caller that had gone before it was looked at (P15).
///
/// A program may send a write and leave without waiting, and most sessions have no sandbox at all: there such a write counts. Flatpak makes the folder
/// `.flatpak` in the user's runtime folder before it starts an application, and keeps it for the session; no sandbox reaches it. Where it is there, or a
/// sandboxed caller was met, a caller that left can't be told from one, and its calls are refused.
struct SandboxTraces {
    private let folders: [String]
    private var wereMet = false

    /// Looks for traces of this process's user.
    init(environment: (String) -> String? = Paths.environmentVariable) {
        folders = ([environment("XDG_RUNTIME_DIR")].compactMap { $0 } + ["/run/user/\(getuid())"]).map { $0 + "/.flatpak" }
    }

    /// Takes note of a sandboxed caller.
    mutating func meet() { wereMet = true }

    /// Whether there are any; where that can't be told, there may be.
    var mayExist: Bool {
        wereMet
            || folders.contains { folder in
                var status = stat()
                return lstat(folder, &status) == 0 || errno != ENOENT && errno != ENOTDIR
            }
    }
}
