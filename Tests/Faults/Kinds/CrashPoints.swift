import Support

/// kill -9 at each system call of the store, in a short life that uses it in every way (P7).
enum CrashPoints {
    /// More calls of one name than a life has.
    private static let most = 400

    static func run(_ trial: Trial) throws {
        let bus = try PrivateBus()
        for beginning in Script.Beginning.allCases {
            let script = try Script(beginning, on: bus)
            if trial.isShort { try few(script, trial) } else { try all(script, trial) }
        }
    }

    private static func all(_ script: Script, _ trial: Trial) throws {
        for (name, _) in trial.part(of: Script.calls) {
            for number in 1...most where trial.isWorthwhile {
                guard try kill(script, name, number, trial) else { break }
            }
        }
    }

    private static func few(_ script: Script, _ trial: Trial) throws {
        // The calls that change something.
        for name in ["pwrite64", "fdatasync", "ftruncate", "renameat", "unlink", "openat"] {
            _ = try kill(script, name, Int.random(in: 1...8, using: &trial.random), trial)
        }
    }

    private static func kill(_ script: Script, _ name: String, _ number: Int, _ trial: Trial) throws -> Bool {
        let struck = try script.live(
            under: Injection(call: name, action: "signal=KILL", number: number), isDeadly: true, trial)
        if struck { trial.strike() }
        return struck
    }
}
