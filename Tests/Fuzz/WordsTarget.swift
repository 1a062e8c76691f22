import DBusTypes

@testable import DefaultsCommands

/// Words of a command line, one a line, are a value or a failure in words.
func fuzzWords(_ bytes: [UInt8]) {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let signature = words.first {
        do throws(Failure) {
            let value = try SignatureWords.value(signature: signature, words: Array(words.dropFirst()))
            require(value.type.text == signature, "a value of another type than asked for")
        } catch {
            require(!error.message.isEmpty, "a failure without words")
        }
    }
    if let microseconds = DateText.microseconds(words[0]) {
        require(DateText.microseconds(DateText.text(microseconds: microseconds)) == microseconds, "a date that reads as another")
    }
    do throws(Failure) {
        _ = try ArgumentParser.parse(words, commands: CommandTable.commands)
    } catch {
        require(!error.message.isEmpty, "a usage error without words")
    }
}
