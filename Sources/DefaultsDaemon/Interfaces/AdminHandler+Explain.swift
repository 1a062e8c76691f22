import DBusTypes
import DefaultsInterface
import DefaultsModel
import LibDBus

extension AdminHandler {
    /// The word for a preference among the kinds of things that can be explained.
    private static let preference = "preference"

    /// Says why something is shown or not, or where a value comes from: every gate or layer with the data used (S4).
    func explain(_ call: IncomingCall) throws(ModelError) {
        let arguments = Arguments(call)
        let word = try arguments.string(1)
        if word == Self.preference {
            let domain = try arguments.domain(0)
            let key = try arguments.key(2)
            return router.read(call, needs: [domain]) { view in
                [.gates(view.explaining(domain, key).map { ($0.name, $0.hasValue, $0.why) })]
            }
        }
        guard let kind = PresentationKind(rawValue: word) else {
            let words = (PresentationKind.allCases.map(\.rawValue) + [Self.preference]).map { "\"\($0)\"" }
            throw ModelError(
                .invalidArgument, "kind is \"\(word.forMessage)\"; it must be one of \(words.joined(separator: ", ")).")
        }
        let app = try arguments.app(0)
        let id = try arguments.identifier(2, called: word)
        router.ask(call, needs: app) { view, asking throws(ModelError) in
            let gates = try view.explaining(app, kind, id, asking)
            return [.gates(gates.checks.map { ($0.gate.rawValue, $0.isPassed, $0.why) })]
        }
    }

    /// Says how often an application's guides, tours and tips were shown, and how they ended.
    func statistics(_ call: IncomingCall) throws(ModelError) {
        let app = try Arguments(call).app(0)
        router.read(call, needs: [app]) { view in [view.statistics(app)] }
    }
}

extension Value {
    /// The reply of `Explain`, `a(sbs)`.
    fileprivate static func gates(_ gates: [(name: String, isPassed: Bool, why: String)]) -> Value {
        let rows = gates.map { Value.structure([.string($0.name), .boolean($0.isPassed), .string($0.why)]) }
        return .array(ArrayValue(unchecked: rows, of: .structure([.string, .boolean, .string])))
    }
}
