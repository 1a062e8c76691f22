import DBusTypes
import DefaultsManifest

/// `watch DOMAIN [KEY…]`: prints each change as it happens.
///
/// It outlives the daemon: when one is back on the bus, it watches again and prints what has moved in between.
enum WatchCommand {
    /// Watches until interrupted, which is success, or until the bus or the reader of the output is gone.
    static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let watch = DomainWatch(
            daemon: try context.connect(), domain: context.invocation.requiredOperand(0),
            keys: Array(context.invocation.operands.dropFirst()), output: context.output)
        try watch.run()
        return .success
    }
}

extension WatchedValues.Change {
    /// The change on its line: key, tab, value, or the key alone; with `--json` an object of key, type and data, or of the key alone.
    func line(_ json: JSONStyle?) -> String {
        guard let json else { return TextEscaping.line(key) + (value.map { "\t" + ValueText.line($0) } ?? "") }
        var members = [JSONNode.Member("key", .string(key))]
        if let value { members += [.init("type", .string(value.type.text)), .init("data", JSONNode(data: value, .busctl))] }
        return json.text(.object(members))
    }
}
