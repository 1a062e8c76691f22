/// How the generation page is laid out: 64-bit words in the machine's byte order.
///
/// Words 0–7 are the lock by which readers see that the daemon has ended; word 8 is the instance; words 9–15 are 0; each of the others
/// counts the changes of the domains that have it as their slot.
public enum GenerationLayout {
    /// The page's size in bytes.
    public static let size = 64 << 10
    /// The word with the number of this run of the daemon, the same as `Watch` returns.
    public static let instanceWord = 8
    /// The first word that counts changes.
    public static let firstSlot = 16
    /// How many words count changes.
    public static let slotCount = size / 8 - firstSlot

    /// The slot of the domain with a number.
    ///
    /// Domains that share one cost their readers a fetch too many, never a stale value.
    public static func slot(ofDomain number: Int) -> Int { firstSlot + number % slotCount }

    /// Whether a slot that `Watch` returned is one; 0 says that the caller has none.
    public static func isSlot(_ slot: Int) -> Bool { (firstSlot..<firstSlot + slotCount).contains(slot) }
}
