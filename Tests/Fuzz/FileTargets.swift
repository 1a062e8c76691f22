import DefaultsManifest
import DefaultsModel

/// A configuration file of any kind has contents or says why not, each in words.
func fuzzFiles(_ bytes: [UInt8]) {
    for kind in ConfigurationFile.Kind.allCases {
        let file = ConfigurationFile(bytes, kind: kind, path: "/\(kind.folder)/org.example.App.json")
        require(file.contents != nil || !file.diagnostics.isEmpty, "a file of \(kind) was neither read nor reported")
        require(file.diagnostics.allSatisfy { !$0.message.isEmpty }, "a fault without words")
    }
}

/// What can be imported is exported as the same state, and that by the same bytes.
func fuzzTransfer(_ bytes: [UInt8]) {
    guard let transfer = try? TransferFile.read(bytes) else { return }
    let text = TransferFile.text(transfer)
    guard let again = try? TransferFile.read(Array(text.utf8)) else {
        fatalError("what was exported can't be imported")
    }
    require(again == transfer, "an import of an export is another state")
    require(TransferFile.text(again) == text, "the same state gave other bytes")
}
