/// What there is to see of a countdown at one moment, and how one line shows it.
struct CountdownView: Equatable {
    /// Whether and when a key skips it.
    enum Skip: Equatable {
        /// There are no keys to press.
        case unavailable
        /// At once.
        case now
        /// In so many milliseconds.
        case after(UInt64)
    }

    /// Milliseconds in all.
    var duration: UInt64
    /// Milliseconds from tick to tick.
    var tick: UInt64
    /// Milliseconds left.
    var remaining: UInt64
    /// What it is for; empty if nobody said.
    var purpose = ""
    /// Whether a key skips it.
    var skip = Skip.unavailable
    /// Whether its time stands still.
    var isPaused = false
    /// Milliseconds after its start before which it can't be skipped.
    var skippableAfter: UInt64 = 0

    /// The time left, rounded up: `7 s`, `6.5 s` where it ticks faster than that, `1:07` and `1:00:07` where it is long.
    var timeLeft: String { text(of: remaining) }

    private func text(of milliseconds: UInt64) -> String {
        if duration < 60_000 {
            guard tick.isMultiple(of: 1000) else { return Self.tenths(milliseconds) + " s" }
            return "\(Self.seconds(milliseconds)) s"
        }
        let seconds = Self.seconds(milliseconds)
        let clock = Self.padded(seconds / 60 % 60) + ":" + Self.padded(seconds % 60)
        if duration >= 3_600_000 { return "\(seconds / 3600):\(clock)" }
        return clock.hasPrefix("0") ? String(clock.dropFirst()) : clock
    }

    private static func seconds(_ milliseconds: UInt64) -> UInt64 { milliseconds / 1000 + (milliseconds % 1000 == 0 ? 0 : 1) }

    private static func tenths(_ milliseconds: UInt64) -> String {
        let tenths = milliseconds / 100 + (milliseconds % 100 == 0 ? 0 : 1)
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func padded(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// What is said of pausing and skipping.
    var hint: String {
        switch skip {
        case .unavailable: isPaused ? "paused" : ""
        case .now: isPaused ? "paused, s skips" : "s skips"
        case .after(let milliseconds): isPaused ? "paused" : "can be skipped in \(Self.seconds(milliseconds)) s"
        }
    }

    /// The widest that the hint will be while it runs, so that the bar doesn't move when it changes.
    private var hintWidth: Int {
        guard skip != .unavailable, skippableAfter > 0 else { return TextWidth.columns(hint) }
        return max(TextWidth.columns(hint), "can be skipped in \(Self.seconds(skippableAfter)) s".utf8.count)
    }
}

extension CountdownView {
    private static let gap = 2
    private static let longestBar = 40
    private static let shortestBar = 10
    private static let leastOfPurpose = 8

    /// The line, at most one column less than `width`, since some terminals wrap after the last.
    ///
    /// Where it gets narrow the purpose goes first, then the hint, then the bar; the time left stays.
    func line(width: Int, style: TerminalStyle) -> String {
        let time = String(repeating: " ", count: max(0, text(of: duration).utf8.count - timeLeft.utf8.count)) + timeLeft
        var room = width - 1 - time.utf8.count
        guard room >= 0 else { return TextWidth.truncated(timeLeft, to: max(0, width - 1)) }
        var end = ""
        if hintWidth > 0, room >= Self.gap + hintWidth + Self.shortestBar + 1 {
            room -= Self.gap + hintWidth
            end = String(repeating: " ", count: Self.gap) + style.painted(hint, "2")
        }
        var start = ""
        let forPurpose = room - Self.shortestBar - 1 - Self.gap
        if !purpose.isEmpty, forPurpose >= min(TextWidth.columns(purpose), Self.leastOfPurpose) {
            let shown = TextWidth.truncated(TextEscaping.safe(purpose), to: forPurpose)
            room -= TextWidth.columns(shown) + Self.gap
            start = shown + String(repeating: " ", count: Self.gap)
        }
        if room > Self.shortestBar {
            start += bar(min(Self.longestBar, room - 1), style) + " "
        }
        return start + style.painted(time, "1") + end
    }

    /// What is left of the time as a part of the bar, to an eighth of a column.
    private func bar(_ width: Int, _ style: TerminalStyle) -> String {
        guard style.hasUnicode else {
            let full = (eighths(of: width - 2) + 4) / 8
            return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: width - 2 - full) + "]"
        }
        let eighths = eighths(of: width)
        var filled = String(repeating: "█", count: eighths / 8)
        if eighths % 8 > 0 { filled.append(["▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8 - 1]) }
        let rest = String(repeating: "░", count: width - (eighths + 7) / 8)
        return style.painted(filled, "36") + style.painted(rest, "2")
    }

    private func eighths(of width: Int) -> Int {
        duration == 0 ? 0 : Int((Double(min(remaining, duration)) / Double(duration) * Double(width * 8)).rounded())
    }
}
