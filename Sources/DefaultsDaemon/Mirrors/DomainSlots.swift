import DefaultsInterface
import DefaultsModel

/// Which word of the generation page belongs to which domain, for one run of the daemon.
///
/// A domain gets its number when it is watched for the first time and keeps it: its readers may outlive their subscription. Once there
/// are as many as words, further ones take a number from their hash, so that no one can fill the daemon's memory with names.
struct DomainSlots {
    private var numbers: [DomainName: Int] = [:]

    private static let limit = GenerationLayout.slotCount

    /// The slot of a domain, which it has from now on.
    mutating func assign(_ domain: DomainName) -> Int {
        if let number = numbers[domain] { return GenerationLayout.slot(ofDomain: number) }
        guard numbers.count < Self.limit else { return Self.hashedSlot(domain) }
        let number = numbers.count
        numbers[domain] = number
        return GenerationLayout.slot(ofDomain: number)
    }

    /// The slot of a domain; nil where no reader can have asked for it.
    func slot(_ domain: DomainName) -> Int? {
        if let number = numbers[domain] { return GenerationLayout.slot(ofDomain: number) }
        return numbers.count < Self.limit ? nil : Self.hashedSlot(domain)
    }

    /// All slots that readers may have.
    var all: Range<Int> { GenerationLayout.firstSlot..<GenerationLayout.firstSlot + numbers.count }

    /// Differs from run to run, and so do slots.
    private static func hashedSlot(_ domain: DomainName) -> Int {
        GenerationLayout.slot(ofDomain: Int(UInt(bitPattern: domain.hashValue) % UInt(limit)))
    }
}
