import CDBus
import DBusTypes
import DefaultsModel

@testable import LibDBus

/// The first bytes up to a zero as a signature of one type, the rest as a value of it.
private func value(_ bytes: [UInt8]) -> Value? {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let type = DBusType(String(decoding: parts[0], as: UTF8.self)) else { return nil }
    return try? Value(marshalled: Array(parts[1]), type: type)
}

/// Bytes that were read as a value are written as a value that is read as the same (P3).
func fuzzWire(_ bytes: [UInt8]) {
    guard let value = value(bytes) else { return }
    let written = value.marshalled()
    require(written.count == value.marshalledSize, "the size of a value is another than it takes")
    guard let again = try? Value(marshalled: written, type: value.type) else { fatalError("what was written can't be read") }
    require(again == value, "a value was read back as another")
}

/// A message that libdbus lets in is read, and its arguments fit into a message again.
func fuzzMessages(_ bytes: [UInt8]) {
    var bytes = bytes.map { CChar(bitPattern: $0) }
    guard let pointer = dbus_message_demarshal(&bytes, Int32(bytes.count), nil) else { return }
    defer { dbus_message_unref(pointer) }
    guard let values = try? MessageReader.arguments(of: pointer, limit: 600_000) else { return }
    guard let copy = dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN) else { return }
    defer { dbus_message_unref(copy) }
    do {
        try MessageWriter.append(values, to: copy, limit: WireLimits.arrayBytes)
    } catch {
        fatalError("what was read can't be written: \(error)")
    }
    require((try? MessageReader.arguments(of: copy)) == values, "arguments were read back as others")
}

/// Every reader of an `a{sv}` takes it or says what is wrong with it, naming the entry.
func fuzzDictionaries(_ bytes: [UInt8]) {
    guard let dictionary = try? Value(marshalled: bytes, type: .dictionary(key: .string, value: .variant)).dictionary else {
        return
    }
    check { _ = try LaunchOptions(dictionary) }
    check { _ = try CountdownSpec(dictionary) }
    check { _ = try ExportOptions(dictionary) }
    check { _ = try GuideDefinition(dictionary) }
    check { _ = try TourDefinition(dictionary) }
    check { _ = try TipDefinition(dictionary) }
}

private func check(_ read: () throws -> Void) {
    do {
        try read()
    } catch let error as ModelError {
        require(!error.message.isEmpty, "an error without words")
    } catch {
        fatalError("\(error) is no error of the model")
    }
}

/// A record that an import accepts is one that can be stored and read.
func fuzzRecords(_ bytes: [UInt8]) {
    guard let value = try? Value(marshalled: bytes, type: .dictionary(key: .string, value: .variant)) else { return }
    for kind in OnboardingKind.allCases {
        for id in ["", "a"] {
            let id = OnboardingID(kind, id)
            if id.accepts(value) { require(id.accepts(value), "a record was accepted once") }
        }
    }
    if let history = LaunchHistory(stored: value) {
        guard let stored = history.stored, let again = LaunchHistory(stored: stored) else {
            fatalError("a history that was read can't be stored")
        }
        require(again.stored == stored, "a history changes when it is stored")
    }
    if let flag = FlagRecord(stored: value) {
        require(FlagRecord(stored: flag.stored)?.stored == flag.stored, "a flag changes when it is stored")
    }
}
