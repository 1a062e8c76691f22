/// Reads a version's text by V1: `[v][epoch:]numbers[pre-release][+build][ (build)]`.
///
/// Works on bytes once digits of other scripts have become ASCII: what isn't ASCII then can only stand in build metadata.
struct VersionParser {
    /// What a text means.
    struct Result {
        var precedence: VersionPrecedence
        var build: [[UInt8]]
    }

    private typealias Bytes = ArraySlice<UInt8>

    /// V3's words, in any case, and what they are to the order of bytes.
    ///
    /// alpha, beta, pre and rc are in order as they are. dev comes first, so it becomes what is just below alpha; no text has a backquote, as
    /// one would make it opaque. So words that are not in the list keep a place among these, and any three agree.
    private static let words: [(word: String, spelling: String)] = [
        ("dev", "alph`"), ("alpha", "alpha"), ("a", "alpha"), ("beta", "beta"), ("b", "beta"), ("pre", "pre"), ("rc", "rc"),
        ("c", "rc"),
    ]

    /// The text without the spaces at its ends; no other white space is trimmed.
    static func trimmed(_ text: String) -> Substring.UTF8View {
        let space = UInt8(ascii: " ")
        let bytes = text.utf8
        let start = bytes.firstIndex { $0 != space } ?? bytes.endIndex
        let end = bytes.lastIndex { $0 != space }.map(bytes.index(after:)) ?? start
        return text[start..<end].utf8
    }

    /// Reads a text; nil where it is opaque (V5).
    static func parse(_ text: String) -> Result? {
        var rest = asciiDigits(Substring(trimmed(text)))[...]
        var build: [[UInt8]] = []
        if let metadata = takeParentheses(from: &rest) { build.append(metadata) }
        if let plus = rest.firstIndex(of: UInt8(ascii: "+")) {
            let metadata = rest[(plus + 1)...]
            guard !metadata.isEmpty, !metadata.contains(UInt8(ascii: " ")) else { return nil }
            build.insert(Array(metadata), at: 0)
            rest = rest[..<plus]
        }
        if let first = rest.first, first | 0x20 == UInt8(ascii: "v"), rest.dropFirst().first?.isDigit == true {
            rest = rest.dropFirst()
        }
        var epoch = VersionNumber.zero
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            guard let number = number(rest[..<colon]) else { return nil }
            epoch = number
            rest = rest[(colon + 1)...]
        }
        guard let numbers = takeNumbers(from: &rest), let prerelease = prerelease(rest) else { return nil }
        return Result(precedence: VersionPrecedence(epoch: epoch, numbers: numbers, prerelease: prerelease), build: build)
    }

    /// The UTF-8 with every decimal digit, of whatever script, as ASCII (V1).
    private static func asciiDigits(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if !scalar.isASCII, scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue {
                bytes.append(UInt8(ascii: "0") + UInt8(value))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            }
        }
        return bytes
    }

    /// Takes a trailing ` (…)` off: nil where there is none, or nothing in it to tell builds apart.
    private static func takeParentheses(from rest: inout Bytes) -> [UInt8]? {
        guard rest.last == UInt8(ascii: ")") else { return nil }
        let opening = rest.indices.dropLast().first { index in
            rest[index] == UInt8(ascii: " ") && rest[index + 1] == UInt8(ascii: "(")
        }
        guard let opening else { return nil }
        let metadata = rest[(opening + 2)..<(rest.endIndex - 1)]
        rest = rest[..<opening]
        while rest.last == UInt8(ascii: " ") { rest = rest.dropLast() }
        return metadata.isEmpty ? nil : Array(metadata)
    }

    private static func number(_ digits: Bytes) -> VersionNumber? {
        guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        return VersionNumber(digits)
    }

    /// Takes the dot-separated numbers off the front; nil where one is missing: `1.`, `.1`, `1..2`.
    private static func takeNumbers(from rest: inout Bytes) -> [VersionNumber]? {
        var numbers: [VersionNumber] = []
        while true {
            let digits = rest.prefix(while: \.isDigit)
            guard let number = number(digits) else { return nil }
            numbers.append(number)
            rest = rest.dropFirst(digits.count)
            guard rest.first == UInt8(ascii: ".") else { return numbers }
            rest = rest.dropFirst()
        }
    }

    /// Reads what follows the numbers: nothing for a release, a pre-release after `-` or `~`, or one of V3's words glued on; nil for the rest.
    private static func prerelease(_ rest: Bytes) -> [VersionPrecedence.Identifier]? {
        guard let first = rest.first else { return [] }
        if first == UInt8(ascii: "-") || first == UInt8(ascii: "~") { return identifiers(rest.dropFirst()) }
        guard spelling(of: rest.prefix(while: \.isLetter)) != nil else { return nil }
        return identifiers(rest)
    }

    /// Reads the dot-separated identifiers of a pre-release; nil where one is empty or has other characters than `[0-9A-Za-z-]`.
    private static func identifiers(_ text: Bytes) -> [VersionPrecedence.Identifier]? {
        var identifiers: [VersionPrecedence.Identifier] = []
        for part in text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard !part.isEmpty, part.allSatisfy({ $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") }) else { return nil }
            append(part, to: &identifiers)
        }
        return identifiers
    }

    /// Splits letters from the digits after them, so that rc10 is above rc9 (V3); digits with letters glued after them, as in the `0a3f`
    /// of a commit, stay one word, as in semver.
    private static func append(_ part: Bytes, to identifiers: inout [VersionPrecedence.Identifier]) {
        var rest = part
        var isFirst = true
        while !rest.isEmpty {
            let digits = rest.prefix(while: \.isDigit)
            if !digits.isEmpty, !isFirst || rest.dropFirst(digits.count).first?.isLetter != true {
                identifiers.append(.number(VersionNumber(digits)))
                rest = rest.dropFirst(digits.count)
            } else {
                let word = digits + rest.dropFirst(digits.count).prefix { !$0.isDigit }
                identifiers.append(.word(commonSpelling(of: word)))
                rest = rest.dropFirst(word.count)
            }
            isFirst = false
        }
    }

    /// The word with what comes before its first hyphen, if it is in V3's list, in the common spelling.
    private static func commonSpelling(of word: Bytes) -> [UInt8] {
        let head = word.prefix { $0 != UInt8(ascii: "-") }
        guard let spelling = spelling(of: head) else { return Array(word) }
        return Array(spelling.utf8) + word.dropFirst(head.count)
    }

    private static func spelling(of word: Bytes) -> String? {
        words.first { $0.word.utf8.elementsEqual(word.lazy.map { $0.isLetter ? $0 | 0x20 : $0 }) }?.spelling
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    fileprivate var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }
}
