/// The options of `write`, and what help says of them.
enum WriteOptions {
    /// Value flags, spelt as on macOS, then the long options.
    static let all =
        [
            OptionDefinition(name: "-bool", aliases: ["-boolean"], argument: "yes|no", summary: "a truth value (b)"),
            OptionDefinition(name: "-int", aliases: ["-integer"], argument: "NUMBER", summary: "an integer (x)"),
            OptionDefinition(name: "-uint", argument: "NUMBER", summary: "an integer without a sign (t)"),
            OptionDefinition(name: "-float", argument: "NUMBER", summary: "a number (d); also inf, -inf, nan"),
            OptionDefinition(name: "-string", argument: "TEXT", summary: "a text (s), whatever it begins with"),
            OptionDefinition(name: "-data", argument: "HEX", summary: "bytes (ay), two hexadecimal digits each"),
            OptionDefinition(
                name: "-date", argument: "ISO", summary: "microseconds since 1970 (x), from a date such as 2026-01-31T12:00:00Z"),
            OptionDefinition(name: "-array", summary: "an array of the values that follow"),
            OptionDefinition(name: "-array-add", summary: "append the values that follow to the array that is there"),
            OptionDefinition(name: "-dict", summary: "a dictionary (a{sv}) of the keys and values that follow"),
            OptionDefinition(name: "-dict-add", summary: "put the keys and values that follow into the dictionary that is there"),
        ] + [
            OptionDefinition(
                name: "--type", argument: "SIGNATURE", summary: "any D-Bus type; the values follow as busctl takes them",
                endsValueFlags: true),
            OptionDefinition(name: "--if-absent", summary: "only if the user has no value yet; exit 1 otherwise"),
            OptionDefinition(
                name: "--expect", argument: "OLD", summary: "only if the value is OLD and of the new one's type; exit 1 otherwise"
            ),
        ]

    /// Those that say a whole value, whatever is there.
    static let values = all.filter { !["-array-add", "-dict-add", "--if-absent", "--expect"].contains($0.name) }

    /// What help says beyond the options.
    static let details = """
        A plain word is a text. In -array and -dict so is each value, unless a flag such as -int stands before it; an array of one
        type is an array of that type, a mixed one holds variants. The date is in UTC unless it says otherwise.
          defaultsctl write org.example.App greeting "Hello"
          defaultsctl write org.example.App retries -int -1
          defaultsctl write org.example.App recent -array-add ~/notes.txt
          defaultsctl write org.example.App size --type '(ii)' 800 600
          defaultsctl write org.example.App step -int 4 --expect=3
        """
}
