import CJansson

/// Why a text is no JSON that can be read, and where.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The character in the line at which reading stopped, from 1.
    public let column: Int
    /// What is wrong, without a full stop.
    public let message: String
}

extension JSONNode {
    /// Reads a text whose outermost value is an object or an array.
    ///
    /// UTF-8 only, no name twice in an object, containers nested at most 2,048 deep, which is jansson's own limit.
    /// The corresponding C function is json_loadb.
    public init(parsing text: [UInt8]) throws(JSONSyntaxError) {
        // Jansson would name a character that no one sees.
        if text.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONSyntaxError(line: 1, column: 1, message: "the file begins with a byte order mark, which JSON must not have")
        }
        var error = json_error_t()
        // Jansson reads an integer as a C long long, and fails where it is larger, as those of type t may be; read as doubles they
        // all pass, and their digits are taken from the text, where numbers stand in the same order as in the tree.
        // U+0000 is let through so that it is the one entry that is wrong, not the file.
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL)
        let root = text.withUnsafeBytes { bytes in
            json_loadb(bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.emptyText, bytes.count, flags, &error)
        }
        guard let root else { throw JSONSyntaxError(error) }
        defer { json_decref(root) }
        var numbers = NumberTokens(text)
        self = Self.node(root, &numbers)
    }

    /// What an empty array has for an address; never read.
    private static var emptyText: UnsafePointer<CChar> {
        UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped.assumingMemoryBound(to: CChar.self)
    }

    private static func node(_ json: UnsafeMutablePointer<json_t>, _ numbers: inout NumberTokens) -> JSONNode {
        switch json.pointee.type {
        case JSON_OBJECT: return .object(members(json, &numbers))
        case JSON_ARRAY:
            var elements: [JSONNode] = []
            elements.reserveCapacity(json_array_size(json))
            for index in 0..<json_array_size(json) {
                guard let element = json_array_get(json, index) else { break }
                elements.append(node(element, &numbers))
            }
            return .array(elements)
        case JSON_STRING: return .string(text(json_string_value(json), json_string_length(json)))
        case JSON_INTEGER, JSON_REAL: return .number(numbers.next())
        case JSON_TRUE: return .boolean(true)
        case JSON_FALSE: return .boolean(false)
        default: return .null
        }
    }

    /// The members in the order of the text, which jansson keeps.
    private static func members(_ json: UnsafeMutablePointer<json_t>, _ numbers: inout NumberTokens) -> [Member] {
        var members: [Member] = []
        members.reserveCapacity(json_object_size(json))
        var iterator = json_object_iter(json)
        while let current = iterator {
            if let value = json_object_iter_value(current) {
                let name = text(json_object_iter_key(current), json_object_iter_key_len(current))
                members.append(Member(name, node(value, &numbers)))
            }
            iterator = json_object_iter_next(json, current)
        }
        return members
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
        guard let start else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }
}

extension JSONSyntaxError {
    fileprivate init(_ error: json_error_t) {
        line = max(1, Int(error.line))
        column = max(1, Int(error.column))
        var error = error
        message = withUnsafeBytes(of: &error.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// The numbers of a JSON text, one after the other, as they are spelt.
///
/// Works on a text that was found valid, in which outside of strings nothing but a number has a digit or a minus sign.
struct NumberTokens {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) { self.text = text }

    /// The next number; `0` after the last, which a valid text never asks for.
    mutating func next() -> String {
        while position < text.count {
            let byte = text[position]
            if byte == UInt8(ascii: "\"") {
                skipString()
            } else if Self.isDigit(byte) || byte == UInt8(ascii: "-") {
                let start = position
                while position < text.count, Self.isPart(text[position]) { position += 1 }
                return String(decoding: text[start..<position], as: UTF8.self)
            } else {
                position += 1
            }
        }
        return "0"
    }

    private mutating func skipString() {
        position += 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isPart(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
            || byte | 0x20 == UInt8(ascii: "e")
    }
}
