import DBusTypes
import DefaultsModel

/// How the readers of one user, in whatever process, see without a call that their values are no longer current.
///
/// Each change of a domain makes the domain's word grow by exactly one, before the first answer and the first signal. A reader that got
/// every signal since it fetched can therefore count along, and needs no fetch to know that it has seen all.
final class Generations {
    private let page: GenerationPage?
    private let failure: ModelError
    private var slots = DomainSlots()

    /// Makes the page, by the main thread; where that fails readers have to call for every value.
    init(instance: UInt64) {
        do throws(GenerationPage.Failure) {
            page = try GenerationPage(instance: instance)
            failure = ModelError(.unavailable, "There is no generation page.")
        } catch {
            page = nil
            failure = ModelError(.unavailable, "There is no generation page, so values have to be called for: \(error.message).")
            Log.write(.warning, failure.message)
        }
    }

    /// What readers map.
    func descriptor() throws(ModelError) -> UnixFD {
        guard let page else { throw failure }
        return page.descriptor
    }

    /// The word of a domain; 0 where there is no page.
    func slot(of domain: DomainName) -> UInt32 { page == nil ? 0 : UInt32(slots.assign(domain)) }

    /// Says that one change of these domains is on disk.
    func advance(_ domains: Set<DomainName>) {
        guard let page else { return }
        // Every application's look-up falls through to `global`, also where the daemon no longer knows who reads.
        if domains.contains(.global) { return advanceAll() }
        for domain in domains {
            if let slot = slots.slot(domain) { page.increment(slot) }
        }
    }

    /// Says that any value of any domain may have changed.
    func advanceAll() {
        guard let page else { return }
        for slot in slots.all { page.increment(slot) }
    }

    /// Says that this run of the daemon answers for nothing any more.
    func retire() { page?.retire() }
}
