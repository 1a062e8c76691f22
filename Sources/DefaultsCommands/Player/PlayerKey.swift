/// A key that means something while a guide, a tour or a tip is played.
enum PlayerKey: Hashable {
    /// The arrows.
    case left, right
    /// Enter and the space bar, which press buttons.
    case enter, space
    /// Escape by itself.
    case escape
    /// A letter, as its lower case.
    case letter(Character)
}

/// Reads keys from the bytes that a terminal sends for them.
///
/// A key that is no letter comes as Escape and more; the sequences of keys that mean nothing are passed over whole. An Escape that ends
/// what has come may be the key or the beginning of another: ``giveUp()`` says that no more followed within ``patience``.
struct KeyReader {
    /// How long the rest of a sequence may take, in milliseconds: terminals send it at once, a slow line in two parts.
    static let patience = 50

    private static let escape: UInt8 = 0x1B
    /// What has come of a sequence.
    private var pending: [UInt8] = []

    /// Whether a sequence has begun and not ended.
    var isUnfinished: Bool { !pending.isEmpty }

    /// Takes what has come; the keys that are complete.
    mutating func take(_ bytes: [UInt8]) -> [PlayerKey] { bytes.compactMap { take($0) } }

    /// Takes what has begun for all there is.
    mutating func giveUp() -> [PlayerKey] {
        defer { pending = [] }
        return pending == [Self.escape] ? [.escape] : []
    }

    private mutating func take(_ byte: UInt8) -> PlayerKey? {
        switch pending.count {
        case 0:
            guard byte == Self.escape else { return Self.plain(byte) }
            pending = [byte]
            return nil
        case 1:
            if byte == Self.escape { return .escape }
            // Anything but these two is a key pressed together with Alt.
            pending = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? pending + [byte] : []
            return nil
        default:
            guard (0x40...0x7E).contains(byte) else {
                pending.append(byte)
                return nil
            }
            // With a modifier there are parameters, and it is another key.
            let isPlain = pending.count == 2
            pending = []
            switch byte {
            case UInt8(ascii: "C") where isPlain: return .right
            case UInt8(ascii: "D") where isPlain: return .left
            default: return nil
            }
        }
    }

    private static func plain(_ byte: UInt8) -> PlayerKey? {
        switch byte {
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): .enter
        case UInt8(ascii: " "): .space
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .letter(Character(Unicode.Scalar(byte)))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .letter(Character(Unicode.Scalar(byte | 0x20)))
        default: nil
        }
    }
}
