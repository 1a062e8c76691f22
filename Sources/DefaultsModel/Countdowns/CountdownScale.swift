import DBusTypes

/// How a user's preference stretches countdowns (C10): accessibility asks that time limits can be stretched and turned off.
public enum CountdownScale: Hashable, Sendable {
    /// The duration times a factor of 1 to 10.
    case stretched(Double)
    /// No time limit: the count stands, only Skip and Cancel end it.
    case unlimited

    /// The key in the domain `global`.
    public static let key = "onboarding.countdown-scale"
    /// The durations as asked for.
    public static let standard = CountdownScale.stretched(1)
    /// The largest factor.
    public static let maximum = 10.0

    /// Reads the preference's effective value, a double or an integer.
    ///
    /// 0 is no limit. What lies between 0 and 1, or below 0, is 1: a countdown never gets shorter. More than 10 is 10.
    /// An absent value, NaN and any other type are 1: a broken preference doesn't break the caller.
    public init(_ preference: Value?) {
        let factor: Double? =
            switch preference {
            case .double(let number)?: number
            // Written out: a bare `Double.init` of a UInt64 may be the one that takes its bits.
            case let value?: value.integer(as: Int64.self).map { Double($0) } ?? value.integer(as: UInt64.self).map { Double($0) }
            case nil: nil
            }
        guard let factor, !factor.isNaN else {
            self = .standard
            return
        }
        self = factor == 0 ? .unlimited : .stretched(min(max(factor, 1), Self.maximum))
    }
}
