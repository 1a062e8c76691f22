import DBusTypes

extension Ledger {
    /// The outcome of an operation that has other configuration files take effect.
    ///
    /// Their digests are kept on disk, so that a restart with the same files changes nothing. Where they say something else of preferences, they
    /// take a revision of their own, and move every domain's. Needs the applications of all live runs loaded.
    public static func taking(_ files: FileLayers, in view: StateView, at now: Instant) -> Outcome {
        let stored = view.onboarding(.global, FilesRecord.id).flatMap(FilesRecord.init(stored:))
        // What is in effect may be what couldn't be stored, and not what the store knows of.
        if files == view.files && (stored?.isOf(files) == true || stored == nil && files == FileLayers()) { return Outcome() }
        var outcome = view.reloading(files, at: now)
        let movesPreferences =
            !files.hasSamePreferences(as: view.files)
            || (stored.map { $0.digest != files.digest } ?? !files.hasSamePreferences(as: FileLayers()))
        let revision = movesPreferences ? view.revision + 1 : stored?.revision ?? 0
        if movesPreferences { outcome.changes.append(.revision(revision)) }
        outcome.changes.append(.onboarding(.global, FilesRecord.id, FilesRecord(files, revision: revision).stored))
        outcome.files = files
        return outcome
    }

    /// Has the files that were in effect when the store was last written take effect again, as a daemon that starts does.
    ///
    /// Call it once `global` is loaded. Returns whether the files are the same as then; where they are not, submit `taking`.
    public func start(with files: FileLayers) -> Bool {
        let stored = committedView.onboarding(.global, FilesRecord.id).flatMap(FilesRecord.init(stored:))
        guard stored?.isOf(files) == true || stored == nil && files == FileLayers() else { return false }
        takeFiles(files, at: stored?.revision ?? 0)
        return true
    }
}

extension StateView {
    /// What other configuration files do to what is presented: a policy that forbids a live run ends it (S3), and a presenter is told of other
    /// attributes (G4).
    func reloading(_ files: FileLayers, at now: Instant) -> Outcome {
        var outcome = Outcome()
        for run in liveRuns {
            if files.policy.mode(run.app, run.kind).mode != .allow {
                let ended = ending(run, because: .policy, at: now)
                outcome.changes += ended.changes
                outcome.announcements += ended.announcements
            } else {
                outcome.announcements += refreshing(run, with: files)
            }
        }
        return outcome
    }
}

/// Which configuration files were in effect, as the store keeps it.
struct FilesRecord {
    static let id = OnboardingID(.configuration)

    /// Of what they say of preferences.
    let digest: UInt64
    /// Of what they say of onboarding; nil in a record of an earlier version, which knew nothing of it.
    let onboardingDigest: UInt64?
    /// The revision at which they took effect.
    let revision: UInt64

    init(_ files: FileLayers, revision: UInt64) {
        digest = files.digest
        onboardingDigest = files.onboardingDigest
        self.revision = revision
    }

    init?(stored: Value) {
        guard let dictionary = stored.dictionary, case .uint64(let digest)? = dictionary["digest"],
            case .uint64(let revision)? = dictionary["revision"]
        else { return nil }
        self.digest = digest
        self.revision = revision
        onboardingDigest = dictionary["onboarding_digest"]?.get()
    }

    var stored: Value {
        var entries: [(String, Value)] = [("digest", .uint64(digest)), ("revision", .uint64(revision))]
        if let onboardingDigest { entries.append(("onboarding_digest", .uint64(onboardingDigest))) }
        return .vardict(entries)
    }

    /// Whether these are the files that were in effect.
    func isOf(_ files: FileLayers) -> Bool { digest == files.digest && onboardingDigest == files.onboardingDigest }
}
