import DBusTypes
import DefaultsInterface

/// `explain APP guide|tour|tip|preference ID`: every gate, passed or not, and why.
enum ExplainCommand {
    /// One gate.
    struct Gate: Equatable {
        let name: String
        let isPassed: Bool
        let why: String
    }

    private static let kinds = PresentationKind.allCases.map(\.rawValue) + ["preference"]

    /// Prints a line a gate, in the order in which they count.
    static func run(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let kind = context.invocation.requiredOperand(1)
        guard kinds.contains(kind) else {
            let guess = Suggestion.closest(to: kind, among: kinds).map { "; did you mean \"\($0)\"?" } ?? ""
            throw .usage("explain takes guide, tour, tip or preference, not \"\(kind)\"\(guess)", ["explain"])
        }
        let gates = try gates(try context.connect(), context.text(0), kind, context.text(2))
        let rows = gates.map { Value.structure([.string($0.name), .boolean($0.isPassed), .string($0.why)]) }
        try context.output.result(.array(ArrayValue(unchecked: rows, of: .structure([.string, .boolean, .string])))) {
            lines(gates, of: kind)
        }
        return .success
    }

    /// Asks for the gates of something.
    static func gates(_ daemon: Daemon, _ app: Value, _ kind: String, _ id: Value) throws(Failure) -> [Gate] {
        try daemon.call(AdminInterface.name, AdminInterface.explain, [app, .string(kind), id])
            .structures(0, .array(of: .structure([.string, .boolean, .string]))).compactMap { fields in
                guard case .string(let name) = fields[0], case .boolean(let isPassed) = fields[1],
                    case .string(let why) = fields[2]
                else { return nil }
                return Gate(name: name, isPassed: isPassed, why: why)
            }
    }

    /// The gates in columns; what a preference passes are layers, which have a value or not.
    static func lines(_ gates: [Gate], of kind: String) -> [String] {
        let (passed, closed) = kind == "preference" ? ("yes", "no") : ("passed", "closed")
        return TextColumns.lines(
            gates.map { [TextEscaping.line($0.name), $0.isPassed ? passed : closed, TextEscaping.line($0.why)] })
    }
}
