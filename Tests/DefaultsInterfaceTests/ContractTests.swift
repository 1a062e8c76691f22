import DBusTypes
import DefaultsInterface
import Testing

/// The descriptions against a table typed from the documentation of the interface, which other people's tests are written to.
@Suite("The contract")
struct ContractTests {
    /// One line a member: `Interface.Member(in arguments) -> (out arguments)`, signals with `!`, properties with `:`.
    static let contract = """
        Preferences.Get(s domain, s key) -> (v value)
        Preferences.GetAll(s domain) -> (a{sv} values, t revision)
        Preferences.Set(s domain, s key, v value) -> (t revision)
        Preferences.SetIfAbsent(s domain, s key, v value) -> (b stored, v value)
        Preferences.CompareAndSet(s domain, s key, v expected, v value) -> (b swapped, v value)
        Preferences.Increment(s domain, s key, x by) -> (x value)
        Preferences.Apply(s domain, a{sv} set, as reset, t expected) -> (t revision)
        Preferences.Reset(s domain, s key) -> (t revision)
        Preferences.ResetDomain(s domain) -> (t revision)
        Preferences.ListKeys(s domain) -> (as keys)
        Preferences.ListDomains() -> (as domains)
        Preferences.ListLocked(s domain) -> (as keys)
        Preferences.RegisterDefaults(s domain, a{sv} values) -> (t revision)
        Preferences.UnregisterDefaults(s domain, as keys) -> (t revision)
        Preferences.Describe(s domain, s key) -> (a{sv} description)
        Preferences.Watch(s domain) -> (a{sv} values, t revision, t instance, u slot)
        Preferences.Unwatch(s domain) -> ()
        Preferences.Synchronize() -> ()
        Preferences.Changed!(s domain, a{sv} changed, as removed, t revision, s writer)
        Preferences.LocksChanged!(s domain, as locked)
        Launches.Record(s app, s version, a{sv} options) -> (a{sv} launch)
        Launches.Query(s app) -> (a{sv} launch)
        Launches.History(s app) -> (a(sxxt) history)
        Launches.Once(s app, s flag) -> (b first)
        Launches.OnceForVersion(s app, s flag, s version) -> (b first)
        Launches.Flags(s app) -> (a(sx) flags)
        Launches.ResetFlag(s app, s flag) -> ()
        Launches.Forget(s app) -> ()
        Launches.Recorded!(s app, a{sv} launch)
        Countdowns.Start(s token, a{sv} spec) -> (o countdown, a{sv} state)
        Countdowns.List() -> (a(oa{sv}) countdowns)
        Countdown.Ready() -> (a{sv} state)
        Countdown.Pause() -> (a{sv} state)
        Countdown.Resume() -> (a{sv} state)
        Countdown.Skip() -> (a{sv} state)
        Countdown.Cancel() -> (a{sv} state)
        Countdown.Extend(t by) -> (a{sv} state)
        Countdown.Watch() -> (a{sv} state)
        Countdown.Tick!(u remaining_ticks, t remaining, u missed)
        Countdown.SkipAvailable!()
        Countdown.Finished!(s reason, t late)
        Countdown.State: s false
        Countdown.Duration: t false
        Countdown.Tick: t false
        Countdown.Remaining: t false
        Countdown.RemainingTicks: u false
        Countdown.Skippable: b false
        Countdown.Owner: s false
        Countdown.Purpose: s false
        Machine.SetDefault(s domain, s key, v value) -> ()
        Machine.ResetDefault(s domain, s key) -> ()
        Machine.SetMandatory(s domain, s key, v value) -> ()
        Machine.ResetMandatory(s domain, s key) -> ()
        Machine.Reload() -> ()
        Admin.Export(a{sv} options) -> (h file)
        Admin.Import(h file, s mode) -> (a{sv} counts)
        Admin.Forget(s app) -> ()
        Admin.AcknowledgeLoss() -> ()
        Admin.Version: s const
        Admin.Features: as const
        Admin.Instance: t const
        Admin.StoreState: s false
        Admin.StorePath: s const
        Admin.Policy: a{sv} false
        TestClock.Advance(t duration) -> ()
        TestClock.SetWall(x time) -> ()
        TestClock.Suspend(t duration) -> ()
        """

    @Test("Every member has exactly the documented name, argument names and types, and there is none besides")
    func members() {
        let lines = Interfaces.allWithTestClock.flatMap { interface in
            let name = interface.name.text.dropFirst("org.defaultsd1.".count)
            return interface.methods.map { "\(name).\($0.name)(\(list($0.inputs))) -> (\(list($0.outputs)))" }
                + interface.signals.map { "\(name).\($0.name)!(\(list($0.arguments)))" }
                + interface.properties.map { "\(name).\($0.name): \($0.type.text) \($0.changeSignal.rawValue)" }
        }
        #expect(lines.sorted() == Self.contract.split(separator: "\n").map(String.init).sorted())
    }

    @Test("Interfaces are named below org.defaultsd1, and TestClock is only among those with --test-clock")
    func interfaceNames() {
        #expect(Interfaces.allWithTestClock.allSatisfy { $0.name.text.hasPrefix("org.defaultsd1.") })
        #expect(
            Interfaces.all.map(\.name.text)
                == ["Preferences", "Launches", "Countdowns", "Countdown", "Machine", "Admin"].map { "org.defaultsd1.\($0)" })
        #expect(Interfaces.allWithTestClock.dropFirst(Interfaces.all.count).map(\.name.text) == ["org.defaultsd1.TestClock"])
    }

    @Test("Every interface, member and argument has a sentence that ends as one")
    func documentation() {
        for interface in Interfaces.allWithTestClock {
            var texts = [interface.documentation]
            for method in interface.methods {
                texts.append(method.documentation)
                texts += (method.inputs + method.outputs).map(\.documentation)
            }
            for signal in interface.signals { texts += [signal.documentation] + signal.arguments.map(\.documentation) }
            texts += interface.properties.map(\.documentation)
            for text in texts {
                #expect(
                    text.first?.isLowercase == false && text.last == ".", "\(text)")
            }
        }
    }

    @Test("Every time says its unit: t in milliseconds, x since the Unix epoch in microseconds")
    func units() {
        let times: Set = ["duration", "tick", "remaining", "late", "time", "skippable_after", "first_launch", "previous_launch"]
        let arguments = Interfaces.allWithTestClock.flatMap { interface in
            interface.methods.flatMap { $0.inputs + $0.outputs } + interface.signals.flatMap(\.arguments)
        }
        let documented =
            arguments.map { ($0.name, $0.type, $0.documentation) }
            + Interfaces.all.flatMap(\.properties).map { ($0.name.text.lowercased(), $0.type, $0.documentation) }
            + (CountdownSpecEntries.all + CountdownStateEntries.all + LaunchEntries.all).map {
                ($0.name, $0.type, $0.documentation)
            }
        var checked: Set<String> = []
        for (name, type, text) in documented where times.contains(name) {
            checked.insert(name)
            let unit = type == .int64 ? "microseconds since the Unix epoch" : "milliseconds"
            #expect(text.contains(unit), "\(name): \(text)")
        }
        #expect(checked == times)
    }

    private func list(_ arguments: [ArgumentDescription]) -> String {
        arguments.map { "\($0.type.text) \($0.name)" }.joined(separator: ", ")
    }
}
