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
        Preferences.Generations() -> (h page)
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
        Guides.Define(s app, s guide, a{sv} definition) -> (b changed)
        Guides.Remove(s app, s guide) -> ()
        Guides.Reset(s app, s guide) -> ()
        Guides.List(s app) -> (a(sa{sv}) guides)
        Guides.Pending(s app) -> (as guides)
        Guides.Present(s app, s guide, a{sv} options) -> (b show, s reason, t run, a{sv} guide)
        Guides.Advance(t run, i by) -> (a{sv} guide)
        Guides.GoTo(t run, u page) -> (a{sv} guide)
        Guides.Finish(t run, s outcome) -> (a{sv} guide)
        Guides.PageChanged!(s app, s guide, t run, u page, u count)
        Guides.Changed!(s app, s guide, t run, a{sv} guide)
        Guides.Finished!(s app, s guide, t run, s outcome)
        Tours.Define(s app, s tour, a{sv} definition) -> (b changed)
        Tours.Remove(s app, s tour) -> ()
        Tours.Reset(s app, s tour) -> ()
        Tours.List(s app) -> (a(sa{sv}) tours)
        Tours.Start(s app, s tour, a{sv} options) -> (b show, s reason, t run, a{sv} step)
        Tours.Next(t run, s step, t sequence) -> (a{sv} step)
        Tours.Back(t run) -> (a{sv} step)
        Tours.GoTo(t run, s step) -> (a{sv} step)
        Tours.StepUnavailable(t run, s step) -> (a{sv} step)
        Tours.Finish(t run, s outcome) -> (a{sv} step)
        Tours.StepChanged!(s app, s tour, t run, s step, u index, u count, t sequence)
        Tours.Changed!(s app, s tour, t run, a{sv} step)
        Tours.Finished!(s app, s tour, t run, s outcome, as shown)
        Tips.Define(s app, s tip, a{sv} definition) -> (b changed)
        Tips.Remove(s app, s tip) -> ()
        Tips.Reset(s app, s tip) -> ()
        Tips.List(s app) -> (a(sa{sv}) tips)
        Tips.Donate(s app, s event, u count) -> (t total)
        Tips.Evaluate(s app) -> (a(sbs) tips)
        Tips.Present(s app, s tip, a{sv} options) -> (b show, s reason, t run, a{sv} tip)
        Tips.Finish(t run, s outcome) -> (a{sv} tip)
        Tips.Snooze(s app, s tip, t duration) -> ()
        Tips.StatusChanged!(s app, s tip, b available, s reason)
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
        Admin.Explain(s app, s kind, s id) -> (a(sbs) gates)
        Admin.Statistics(s app) -> (a{sv} statistics)
        Admin.Inhibit(s reason) -> (t cookie)
        Admin.Uninhibit(t cookie) -> ()
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

    /// Every interface, each with all its members.
    static let interfaces =
        Interfaces.allWithTestClock

    @Test("Every member has exactly the documented name, argument names and types, and there is none besides")
    func members() {
        let lines = Self.interfaces.flatMap { interface in
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
                == ["Preferences", "Launches", "Guides", "Tours", "Tips", "Countdowns", "Countdown", "Machine", "Admin"].map {
                    "org.defaultsd1.\($0)"
                })
        #expect(Interfaces.allWithTestClock.dropFirst(Interfaces.all.count).map(\.name.text) == ["org.defaultsd1.TestClock"])
    }

    @Test("Every interface, member and argument has a sentence that ends as one")
    func documentation() {
        for interface in Self.interfaces {
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
        let times: Set = [
            "duration", "tick", "remaining", "late", "time", "skippable_after", "first_launch", "previous_launch",
            "resume_window", "max_display_duration", "display_duration", "window",
        ]
        let arguments = Self.interfaces.flatMap { interface in
            interface.methods.flatMap { $0.inputs + $0.outputs } + interface.signals.flatMap(\.arguments)
        }
        let documented =
            arguments.map { ($0.name, $0.type, $0.documentation) }
            + Interfaces.all.flatMap(\.properties).map { ($0.name.text.lowercased(), $0.type, $0.documentation) }
            + Self.entries.map { ($0.name, $0.type, $0.documentation) }
        var checked: Set<String> = []
        for (name, type, text) in documented where times.contains(name) {
            checked.insert(name)
            let unit = type == .int64 ? "microseconds since the Unix epoch" : "milliseconds"
            #expect(text.contains(unit), "\(name): \(text)")
        }
        #expect(checked == times)
    }

    /// The entries of every documented dictionary.
    static let entries =
        CountdownSpecEntries.all + CountdownStateEntries.all + LaunchEntries.all + GuideDefinitionEntries.all
        + GuidePageEntries.all + GuideEntries.all + PresentationListEntries.all + TourDefinitionEntries.all + TourStepEntries.all
        + TourEntries.all + TipDefinitionEntries.all + TipRuleEntries.all + TipEntries.all + TipListEntries.all
        + PresentationOptions.guide + StatisticsEntries.kinds + StatisticsEntries.counts

    /// One line a dictionary: `name: type entry, …`, typed from the documentation as the members are.
    static let dictionaries = """
        guide definition: u revision, s kind, s audience, s minimum_significance, s since_version, aa{sv} pages, s completion, s mark, u max_attempts, a{sv} countdown, a{sv} attributes
        guide page: s title, s text, s image, s alt
        guide: s state, u page, u count, b is_first, b is_last, b button_visible, u furthest, u attempts, s outcome, o countdown
        guide or tour in a list: s state, s outcome, u revision, u attempts, u furthest, s source
        options of a guide: b replay, s countdown_token, s on_owner_lost
        options of a tour or tip: b replay, s on_owner_lost
        tour definition: u revision, aa{sv} steps, s on_new_revision, s on_crash, t resume_window, u max_attempts, a{sv} attributes
        tour step: s id, s content, s image, s target, s direction, u since_revision
        step: s id, u index, u count, t sequence, b is_first, b is_last, s state, s outcome, b stale, b changed, a{sv} attributes
        tip definition: u revision, s title, s message, s image, s target, aa{sv} rules, u max_display_count, t max_display_duration, b ignores_frequency, s group, b ordered, a{sv} attributes
        tip rule: s key, s operator, v value, s event, u count, t window
        tip: s id, s state, s outcome, u display_count, t display_duration
        tip in a list: b available, s reason, s invalid, u revision, u display_count, s source
        """

    @Test("The dictionaries of guides, tours and tips have exactly the documented entries and types")
    func onboardingDictionaries() {
        let described: [(String, [DictionaryEntry])] = [
            ("guide definition", GuideDefinitionEntries.all), ("guide page", GuidePageEntries.all), ("guide", GuideEntries.all),
            ("guide or tour in a list", PresentationListEntries.all), ("options of a guide", PresentationOptions.guide),
            ("options of a tour or tip", PresentationOptions.common), ("tour definition", TourDefinitionEntries.all),
            ("tour step", TourStepEntries.all), ("step", TourEntries.all), ("tip definition", TipDefinitionEntries.all),
            ("tip rule", TipRuleEntries.all), ("tip", TipEntries.all), ("tip in a list", TipListEntries.all),
        ]
        let lines = described.map { name, entries in
            "\(name): " + entries.map { "\($0.type.text) \($0.name)" }.joined(separator: ", ")
        }
        #expect(lines == Self.dictionaries.split(separator: "\n").map(String.init))
    }

    @Test("S2: the reasons are the documented ones, in the documented order")
    func reasons() {
        #expect(
            Reasons.all.joined(separator: " ")
                == "policy not_recorded unknown_launch seen abandoned version audience significance invalid snoozed group frequency budget rules "
                + "inhibited busy")
    }

    private func list(_ arguments: [ArgumentDescription]) -> String {
        arguments.map { "\($0.type.text) \($0.name)" }.joined(separator: ", ")
    }
}
