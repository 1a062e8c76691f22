/// How soon and how often backups are made.
struct BackupPace {
    /// How long a store has rested when its backup begins; nanoseconds.
    var delay: Int64 = 1_000_000_000
    /// How much is copied a second at most, on the average; bytes.
    ///
    /// A copy costs the whole store however little has changed. Small stores are copied after every burst of changes; one of
    /// 64 MiB, which someone changes all day, every four minutes.
    var bytesPerSecond: Int64 = 256 << 10

    /// How long after the beginning of a backup the next one may begin; nanoseconds.
    func rest(after size: Int64) -> Int64 { size * 1_000_000_000 / bytesPerSecond }
}
