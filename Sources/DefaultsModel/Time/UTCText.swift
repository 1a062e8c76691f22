/// A moment as people read it: `2026-11-30 07:16:31 UTC`, to the second.
struct UTCText: CustomStringConvertible {
    private static let day: Int64 = 86_400

    let description: String

    /// Writes a number of microseconds since the Unix epoch, by the Gregorian calendar.
    init(wall: Int64) {
        let seconds = Self.floor(wall, 1_000_000)
        let days = Self.floor(seconds, Self.day)
        let (year, month, dayOfMonth) = Self.date(days)
        let second = seconds - days * Self.day
        let time = [second / 3_600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        description = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2)) \(time) UTC"
    }

    /// The date of a day, counted from 1970-01-01.
    ///
    /// Years begin in March, so that the leap day is the last of one, and are counted in eras of 400.
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floor(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = "\(abs(number))"
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
