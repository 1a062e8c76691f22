import DBusTypes

extension Ledger {
    /// The outcome of an operation that has other configuration files take effect, with a revision of its own.
    ///
    /// Their digest is kept on disk, so that a restart with the same files changes nothing and one with others moves every
    /// domain's revision.
    public static func taking(_ files: FileLayers, in view: StateView) -> Outcome {
        let digest = files.digest
        let stored = view.onboarding(.global, FilesRecord.id).flatMap(FilesRecord.init(stored:))
        // What is in effect may be what couldn't be stored, and not what the store knows of.
        if files == view.files && (stored?.digest == digest || stored == nil && files == FileLayers()) { return Outcome() }
        let revision = view.revision + 1
        var outcome = Outcome(changes: [
            .revision(revision),
            .onboarding(.global, FilesRecord.id, FilesRecord(digest: digest, revision: revision).stored),
        ])
        outcome.files = files
        return outcome
    }

    /// Has the files that were in effect when the store was last written take effect again, as a daemon that starts does.
    ///
    /// Call it once `global` is loaded. Returns whether the files are the same as then; where they are not, submit `taking`.
    public func start(with files: FileLayers) -> Bool {
        let stored = committedView.onboarding(.global, FilesRecord.id).flatMap(FilesRecord.init(stored:))
        guard stored?.digest == files.digest || stored == nil && files == FileLayers() else { return false }
        takeFiles(files, at: stored?.revision ?? 0)
        return true
    }
}

/// Which configuration files were in effect, as the store keeps it.
struct FilesRecord {
    static let id = OnboardingID(.configuration)

    let digest: UInt64
    let revision: UInt64

    init(digest: UInt64, revision: UInt64) {
        self.digest = digest
        self.revision = revision
    }

    init?(stored: Value) {
        guard let dictionary = stored.dictionary, case .uint64(let digest)? = dictionary["digest"],
            case .uint64(let revision)? = dictionary["revision"]
        else { return nil }
        self.init(digest: digest, revision: revision)
    }

    var stored: Value { .vardict([("digest", .uint64(digest)), ("revision", .uint64(revision))]) }
}
