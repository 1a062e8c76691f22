import Glibc

/// Which files stood at the paths of a database when it was opened: the ones that are written from then on.
///
/// Someone may remove or replace them meanwhile, with the folder or alone; what is written then is gone with this process. Someone may cut the database,
/// which never shrinks by itself: what is written then is a log for a database that isn't there.
struct DatabasePlace {
    private let path: String
    private let files: [(path: String, identity: Identity)]
    private let size: off_t

    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    private enum Status {
        case present(Identity, size: off_t)
        case absent
        case unknown
    }

    /// Takes note of the files of an open database.
    init(_ path: String) {
        self.path = path
        files = [path, path + FileName.wal].compactMap { path in
            if case .present(let identity, _) = Self.status(path) { (path, identity) } else { nil }
        }
        size = if case .present(_, let size) = Self.status(path) { size } else { 0 }
    }

    /// Whether all of them are where they were, and the database as long; a path that can't be looked at says nothing against it.
    var isHeld: Bool {
        files.allSatisfy { file in
            switch Self.status(file.path) {
            case .present(let identity, let size): identity == file.identity && (file.path != path || size >= self.size)
            case .absent: false
            case .unknown: true
            }
        }
    }

    /// The corresponding C function is stat.
    private static func status(_ path: String) -> Status {
        var status = stat()
        switch retryingInterrupts({ stat(path, &status) }) {
        case .success: return .present(Identity(device: status.st_dev, inode: status.st_ino), size: status.st_size)
        case .failure(let failure): return failure.number == ENOENT || failure.number == ENOTDIR ? .absent : .unknown
        }
    }
}
