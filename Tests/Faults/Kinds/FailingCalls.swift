import Support

/// Each system call of the store failing in turn, once and from then on (P11): a named error or success, memory as the disk,
/// no litter, and everything works once the fault is over.
enum FailingCalls {
    private static let most = 400

    static func run(_ trial: Trial) throws {
        let bus = try PrivateBus()
        for beginning in Script.Beginning.allCases {
            let script = try Script(beginning, on: bus)
            if trial.isShort { try few(script, trial) } else { try all(script, trial) }
        }
    }

    private static func all(_ script: Script, _ trial: Trial) throws {
        let faults = Script.calls.flatMap { name, errors in errors.map { (name, $0) } }
        for (name, error) in trial.part(of: faults) {
            for number in 1...most where trial.isWorthwhile {
                guard try fail(script, name, error, number, isLasting: false, trial) else { break }
                _ = try fail(script, name, error, number, isLasting: true, trial)
            }
        }
    }

    private static func few(_ script: Script, _ trial: Trial) throws {
        for (name, errors) in trial.sample(Script.calls.filter { !["fchmod", "mkdirat"].contains($0.name) }, 5) {
            let error = errors[Int.random(in: 0..<errors.count, using: &trial.random)]
            for isLasting in [false, true] {
                _ = try fail(script, name, error, Int.random(in: 1...6, using: &trial.random), isLasting: isLasting, trial)
            }
        }
    }

    private static func fail(
        _ script: Script, _ name: String, _ error: String, _ number: Int, isLasting: Bool, _ trial: Trial
    ) throws -> Bool {
        // Interrupted for ever is no disk's fault: what waits for the end of it may wait for ever too.
        if isLasting && error == "EINTR" { return true }
        let fault = Injection(call: name, action: "error=" + error, number: number, isLasting: isLasting)
        let struck = try script.live(under: fault, isDeadly: false, trial)
        if struck { trial.strike() }
        return struck
    }
}
