import DefaultsModel

/// Finds where an entry stands in a text that was found valid: the tree that is made of it has no places.
struct JSONLocator {
    private let text: [UInt8]
    private var position = 0

    private init(_ text: [UInt8]) { self.text = text }

    /// Line and column of an entry: of its name in an object, of the element itself in an array, and where the entry is missing, of what it is missing from.
    static func position(of path: JSONPath, in text: [UInt8]) -> Diagnostic.Position {
        var locator = JSONLocator(text)
        locator.skipSpace()
        var found = locator.position
        for step in path.steps {
            guard let place = locator.enter(step) else { break }
            found = place
        }
        let before = text.prefix(found)
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // Bytes that go on with a character count for nothing.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return Diagnostic.Position(line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: column)
    }

    private var byte: UInt8? { position < text.count ? text[position] : nil }

    /// Goes from the beginning of a value to that of one in it; returns where that entry begins, nil where there is none.
    private mutating func enter(_ step: EntryStep) -> Int? {
        switch (byte, step) {
        case (UInt8(ascii: "{"), .member(let name)): enter(name)
        case (UInt8(ascii: "["), .element(let index)): enter(index)
        default: nil
        }
    }

    private mutating func enter(_ name: String) -> Int? {
        position += 1
        while true {
            skipSpace()
            guard byte == UInt8(ascii: "\"") else { return nil }
            let start = position
            skipString()
            let isWanted = Self.string(text[start..<position])?.utf8.elementsEqual(name.utf8) == true
            skipSpace()
            // The colon.
            position += 1
            skipSpace()
            if isWanted { return start }
            guard skipToNext() else { return nil }
        }
    }

    private mutating func enter(_ index: Int) -> Int? {
        position += 1
        skipSpace()
        for _ in 0..<index {
            guard skipToNext() else { return nil }
            skipSpace()
        }
        return byte == UInt8(ascii: "]") ? nil : position
    }

    /// Goes over a value and the comma after it; false where there is none.
    private mutating func skipToNext() -> Bool {
        var depth = 0
        while let byte {
            switch byte {
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: ",") where depth == 0:
                position += 1
                return true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                guard depth >= 0 else { return false }
                position += 1
            default: position += 1
            }
        }
        return false
    }

    private mutating func skipString() {
        position += 1
        while let byte, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        position += 1
    }

    private mutating func skipSpace() {
        while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    /// What a string means, escapes and all.
    private static func string(_ token: ArraySlice<UInt8>) -> String? {
        guard token.contains(UInt8(ascii: "\\")) else { return String(decoding: token.dropFirst().dropLast(), as: UTF8.self) }
        guard case .array(let elements)? = try? JSONNode(parsing: [UInt8(ascii: "[")] + token + [UInt8(ascii: "]")]),
            case .string(let text)? = elements.first
        else { return nil }
        return text
    }
}
