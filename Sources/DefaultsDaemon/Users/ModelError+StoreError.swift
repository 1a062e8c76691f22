import DefaultsModel
import DefaultsStore

extension ModelError {
    /// The error for a caller whose write the store refused.
    init(_ error: StoreError) {
        let code: Code =
            switch error.code {
            case .full: .storageFull
            case .readOnly, .newerSchema: .storageReadOnly
            case .failed, .inUse, .notADirectory, .damaged, .closed: .storageFailed
            }
        self.init(code, error.message)
    }
}
