import DefaultsModel

/// Numbers the stores that one service has opened.
typealias StoreID = UInt64

/// What the loop's thread asks of the store thread.
enum StoreRequest: Sendable {
    case open(StoreID, directory: String, StoreHolder)
    case load(StoreID, DomainName)
    /// Changes computed on the store after so many replacements.
    case commit(StoreID, [RecordChange], replacements: Int)
    case acknowledgeLoss(StoreID)
    case close(StoreID)
}

/// What the store thread answers.
enum StoreOutcome: Sendable {
    case opened(Result<StoreReport, StoreError>)
    case loaded(Result<DomainContents, StoreError>)
    case done(Result<Void, StoreError>)
}

/// What is known of a store that was just opened.
struct StoreReport: Sendable {
    var summary: StoreSummary
    var state: StoreState
    var path: String
    var reason: StoreError?
}

/// What travels back: an answer to the request of that number, or news of a store.
enum StoreMessage: Sendable {
    case answer(UInt64, StoreOutcome)
    case event(StoreID, StoreEvent)
}
