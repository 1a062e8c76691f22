import DefaultsModel

/// One user's store; every call returns at once and is answered on the loop's thread, in the order of the calls.
///
/// Used on the loop's thread only.
public final class UserStore {
    /// How the store stands; changes only during ``StoreService/deliver()``, before ``onEvent`` is called.
    public private(set) var state: StoreState
    /// Told what changed under the store, before the request that met it is answered.
    public var onEvent: ((StoreEvent) -> Void)?

    private let id: StoreID
    private unowned let service: StoreService
    /// How many stores have taken the place of the first, as far as this thread knows.
    private var replacements = 0

    init(id: StoreID, service: StoreService, state: StoreState) {
        self.id = id
        self.service = service
        self.state = state
    }

    /// Reads all of one domain, checking every row; a domain that was never written is empty.
    ///
    /// Errors: `damaged` where the rows are not those that were written and could not be moved aside; otherwise damage is
    /// met by ``StoreEvent/replaced(_:_:_:)``, and what is read is of the store then in place.
    public func load(_ domain: DomainName, completion: @escaping (Result<DomainContents, StoreError>) -> Void) {
        service.submit(.load(id, domain)) { outcome in
            guard case .loaded(let result) = outcome else { preconditionFailure("a load is answered with contents") }
            completion(result)
        }
    }

    /// Writes the changes in order, all or none, in one transaction with one flush; on disk before the answer (P7).
    ///
    /// After an error the store has what it had before; so it has where another store has taken the place of the one that the
    /// changes were computed on (`damaged`). Errors: `full`, `readOnly`, `failed`, `damaged`, `newerSchema`, `closed`.
    public func commit(_ changes: [RecordChange], completion: @escaping (Result<Void, StoreError>) -> Void) {
        submit(.commit(id, changes, replacements: replacements), completion)
    }

    /// Records that the user knows of the loss: the state is `healthy` from then on, if it was `restored` or `lost` (P9).
    public func acknowledgeLoss(completion: @escaping (Result<Void, StoreError>) -> Void) {
        submit(.acknowledgeLoss(id), completion)
    }

    /// Finishes what was asked before, brings everything into the database file, and lets go of the store.
    public func close(completion: @escaping (Result<Void, StoreError>) -> Void) {
        submit(.close(id), completion)
    }

    func receive(_ event: StoreEvent) {
        switch event {
        case .state(let state, _): self.state = state
        case .replaced(let state, _, _):
            self.state = state
            replacements += 1
        }
        onEvent?(event)
    }

    private func submit(_ request: StoreRequest, _ completion: @escaping (Result<Void, StoreError>) -> Void) {
        service.submit(request) { outcome in
            guard case .done(let result) = outcome else { preconditionFailure("this request is answered without contents") }
            completion(result)
        }
    }
}
