/// Instants as ISO 8601 writes them, in the Gregorian calendar and to the microsecond.
enum DateText {
    /// Reads `2026-01-31`, `2026-01-31T12:00Z`, `2026-01-31 12:00:00.5 +02:00`; UTC where no zone is given.
    ///
    /// Microseconds since the Unix epoch; nil for anything else.
    static func microseconds(_ text: String) -> Int64? {
        var reader = DateReader(Array(text.utf8))
        return reader.read()
    }

    /// The instant in UTC, without a fraction where it is zero.
    static func text(microseconds: Int64) -> String {
        let (second, fraction) = microseconds.flooredDivision(by: 1_000_000)
        let (day, secondOfDay) = second.flooredDivision(by: 86_400)
        let date = Self.date(day: day)
        var text = "\(date.year < 0 ? "-" : "")\(padded(date.year.magnitude, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
        text += "\(padded(secondOfDay / 3600, 2)):\(padded(secondOfDay / 60 % 60, 2)):\(padded(secondOfDay % 60, 2))"
        if fraction != 0 {
            var digits = padded(fraction, 6)
            while digits.hasSuffix("0") { digits.removeLast() }
            text += "." + digits
        }
        return text + "Z"
    }

    private static func padded(_ number: some BinaryInteger, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Days since the Unix epoch of a date, counted in years that begin in March, so that leap days come last.
    static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date of a day since the Unix epoch.
    static func date(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (day + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    /// The quotient rounded down, and a remainder that is never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// Reads one instant from left to right.
private struct DateReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() -> Int64? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"), let day = number(digits: 2),
            (1...12).contains(month), day >= 1
        else { return nil }
        let first = DateText.day(year: year, month: month, day: 1)
        let next =
            month == 12 ? DateText.day(year: year + 1, month: 1, day: 1) : DateText.day(year: year, month: month + 1, day: 1)
        guard day <= next - first else { return nil }
        var microseconds = (first + day - 1) * 86_400 * 1_000_000
        if position < bytes.count {
            guard take("T") || take(" "), let time = readTime(), let zone = readZone(), position == bytes.count else {
                return nil
            }
            microseconds += time - zone * 60 * 1_000_000
        }
        return microseconds
    }

    /// Microseconds of the day.
    private mutating func readTime() -> Int64? {
        guard let hour = number(digits: 2), take(":"), let minute = number(digits: 2), hour < 24, minute < 60 else { return nil }
        var microseconds = (hour * 60 + minute) * 60 * 1_000_000
        guard take(":") else { return microseconds }
        guard let second = number(digits: 2), second < 60 else { return nil }
        microseconds += second * 1_000_000
        guard take(".") else { return microseconds }
        let start = position
        while position < bytes.count, bytes[position].isDigit { position += 1 }
        let digits = bytes[start..<position]
        guard (1...6).contains(digits.count) else { return nil }
        var fraction = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        for _ in digits.count..<6 { fraction *= 10 }
        return microseconds + fraction
    }

    /// Minutes east of Greenwich; 0 where nothing more follows.
    private mutating func readZone() -> Int64? {
        if position == bytes.count || take("Z") { return 0 }
        _ = take(" ")
        let sign: Int64
        if take("+") {
            sign = 1
        } else if take("-") {
            sign = -1
        } else {
            return take("Z") ? 0 : nil
        }
        guard let hours = number(digits: 2), hours < 24 else { return nil }
        guard position < bytes.count else { return sign * hours * 60 }
        _ = take(":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func number(digits: Int) -> Int64? {
        guard position + digits <= bytes.count else { return nil }
        var number: Int64 = 0
        for byte in bytes[position..<position + digits] {
            guard byte.isDigit else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        position += digits
        return number
    }
}
