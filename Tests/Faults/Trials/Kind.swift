import Support

/// A kind of fault.
struct Kind: Sendable {
    /// The word of `--only`.
    let name: String
    /// What is done to the daemon, for the table.
    let summary: String
    /// Whether it mounts file systems.
    var mounts = false
    /// Does it as often as the trial wants.
    let run: @Sendable (Trial) throws -> Void

    /// Every kind, in the order in which they are tried.
    static let all = [
        Kind(name: "kill", summary: "kill -9 at random moments under four writers", run: RandomKills.run),
        Kind(name: "crash", summary: "kill -9 at each system call of the store", run: CrashPoints.run),
        Kind(name: "calls", summary: "each system call of the store failing in turn", run: FailingCalls.run),
        Kind(name: "short-writes", summary: "writes cut short by a limit on the size of files", run: ShortWrites.run),
        Kind(name: "full-disk", summary: "a tiny disk filled and freed", mounts: true, run: FullDisk.run),
        Kind(name: "damage", summary: "files of the store cut and bits flipped", run: DamagedFiles.run),
        Kind(name: "two-daemons", summary: "several daemons on one store", run: TwoDaemons.run),
        Kind(name: "lost-files", summary: "files of the store removed and replaced under the daemon", run: LostFiles.run),
        Kind(name: "power-cut", summary: "power cuts under four writers", mounts: true, run: PowerCuts.run),
    ]
}
