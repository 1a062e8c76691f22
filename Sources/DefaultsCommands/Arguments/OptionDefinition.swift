/// An option of the program or of one command.
///
/// Long options are spelt as GNU does, `--name=VALUE` or `--name VALUE`; the value flags of `write` have one dash, as on macOS.
struct OptionDefinition: Equatable, Sendable {
    /// The option with its dashes.
    let name: String
    /// Other spellings, with their dashes, that help doesn't list.
    var aliases: [String] = []
    /// What help calls the option's argument; nil where it takes none.
    var argument: String?
    /// What the option does, for help.
    var summary: String
    /// Whether words with one dash are operands from here on: they are values, as after busctl's signature.
    var endsValueFlags = false

    /// Whether the option has one dash: a value flag.
    var isValueFlag: Bool { !name.hasPrefix("--") }

    /// Whether `word` spells this option.
    func isSpelt(_ word: String) -> Bool { name == word || aliases.contains(word) }
}
