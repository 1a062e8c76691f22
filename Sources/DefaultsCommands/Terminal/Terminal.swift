import Glibc

/// The terminal while something is played on it: keys come one by one and unseen, the cursor is hidden, one line or all of it redraws.
///
/// `leave()` puts everything back, and must be called before the process ends or stops. One thread only.
final class Terminal {
    private let output: Output
    /// Whether standard output shows the line.
    let hasScreen: Bool
    /// Whether keys can be read.
    let hasKeys: Bool
    /// What the screen can show.
    let style: TerminalStyle
    /// The settings to put back; nil while nothing was changed.
    private var saved: termios?
    private var isCursorHidden = false
    /// Whether a screen of its own is used, which is gone with what was on it when the terminal is given back.
    private let takesWholeScreen: Bool

    init(_ output: Output, takesWholeScreen: Bool = false, environment: (String) -> String? = Terminal.environment) {
        self.output = output
        self.takesWholeScreen = takesWholeScreen
        hasKeys = isatty(STDIN_FILENO) == 1
        hasScreen = output.isTerminal && environment("TERM") != "dumb" && output.json == nil && !output.isQuiet
        style = Self.style(environment)
    }

    /// No colour where NO_COLOR says so, no more than ASCII where the locale has no UTF-8.
    static func style(_ environment: (String) -> String?) -> TerminalStyle {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased()
        return .init(
            hasColour: environment("NO_COLOR").map(\.isEmpty) ?? true,
            hasUnicode: encoding.hasSuffix("utf-8") || encoding.hasSuffix("utf8"))
    }

    /// The value of an environment variable; nil where there is none.
    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Takes the terminal over, also again after a stop, when the shell has put its own settings back.
    ///
    /// In the background the keyboard is somebody else's, and is left alone.
    func enter() {
        // A reader of the output that goes away must not end the process before the terminal is given back.
        signal(SIGPIPE, SIG_IGN)
        if hasKeys, isInForeground {
            var settings = termios()
            if saved == nil, tcgetattr(STDIN_FILENO, &settings) == 0 { saved = settings }
            if var settings = saved {
                settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
                // What was typed before the countdown began was not meant to skip it.
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            }
        }
        if hasScreen, !isCursorHidden {
            isCursorHidden = true
            output.text(takesWholeScreen ? "\u{1B}[?1049h\u{1B}[?25l" : "\u{1B}[?25l")
        }
    }

    /// Gives the terminal back.
    func leave() {
        if var settings = saved {
            // From the background this would stop the process, and the settings are the shell's own by then.
            if isInForeground { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
            saved = nil
        }
        if isCursorHidden {
            isCursorHidden = false
            output.text(takesWholeScreen ? "\u{1B}[?25h\u{1B}[?1049l" : "\u{1B}[?25h")
        }
    }

    /// Whether keys may be read: a process in the background is stopped if it tries.
    var ownsKeyboard: Bool { saved != nil && isInForeground }

    private var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

    /// Draws a line over the one before; `line` is told how many columns there are.
    func draw(_ line: (_ width: Int) -> String) throws(Failure) {
        output.text("\r" + line(size.columns) + "\u{1B}[K")
        try output.flush()
    }

    /// Draws the whole screen; `lines` is told how many columns and rows there are.
    func drawScreen(_ lines: (_ width: Int, _ height: Int) -> [String]) throws(Failure) {
        let size = size
        // Each line clears what was behind it, and the last what was below: nothing flickers.
        output.text("\u{1B}[H" + lines(size.columns, size.rows).joined(separator: "\u{1B}[K\n") + "\u{1B}[J")
        try output.flush()
    }

    /// Replaces the line with a text that stays.
    func close(_ text: String) throws(Failure) {
        output.text("\r" + TextWidth.truncated(text, to: max(size.columns - 1, 1)) + "\u{1B}[K\n")
        try output.flush()
    }

    /// Removes the line, so that something else can be said in its place.
    func erase() throws(Failure) {
        output.text("\r\u{1B}[K")
        try output.flush()
    }

    /// What was typed since; empty at the end of the input.
    func readKeys() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        return Array(bytes.prefix(max(count, 0)))
    }

    private var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
