import DBusTypes

/// What the interfaces of guides, tours and tips have in common, described once: how one is defined, listed and begun.
struct PresentedItem {
    /// Defines one.
    static let define: MemberName = "Define"
    /// Takes one away.
    static let remove: MemberName = "Remove"
    /// Forgets what the user did with one.
    static let reset: MemberName = "Reset"
    /// Those of an application.
    static let list: MemberName = "List"
    /// Ends a run.
    static let finish: MemberName = "Finish"

    /// The application of a call.
    static let app = ArgumentDescription("app", "s", "An application id, such as org.example.App.")
    /// What `Finish` of a guide or a tour takes.
    static let outcome = ArgumentDescription(
        "outcome", "s",
        "One of completed, skipped, dismissed: seen; failed: not seen, an attempt; released: still due, no attempt.")
    /// The first outcome wins (G8).
    static let firstOutcomeWins = "The first outcome wins: a later call changes nothing and returns that one."
    /// Who gets the signals of a run.
    static let sentToPresenter = "sent to the presenter and to those who watch the application"

    /// What it is called: guide, tour or tip.
    let kind: String
    /// The method that begins a run.
    let begin: MemberName
    /// The id of one, in a call.
    let item: ArgumentDescription
    /// The number of a run, in a call.
    let run: ArgumentDescription

    init(_ kind: String, begin: MemberName) {
        self.kind = kind
        self.begin = begin
        item = ArgumentDescription(kind, "s", "The \(kind)'s id: 1 to 64 bytes of UTF-8 without control characters.")
        run = ArgumentDescription("run", "t", "The number of the run, which \(begin) returned and no other has.")
    }

    /// Define, Remove, Reset and List.
    ///
    /// `requirement` says what a definition must have, `revisions` what another revision does.
    func definitions(
        _ entries: [DictionaryEntry], requirement: String, revisions: String = "", listing listed: [DictionaryEntry]
    ) -> [MethodDescription] {
        let definition = ArgumentDescription(
            "definition", "a{sv}", documentation("What the \(kind) is, \(requirement), at most 1 MiB.", entries))
        return [
            MethodDescription(
                Self.define, in: [Self.app, item, definition],
                out: [ArgumentDescription("changed", "b", "Whether this differs from the definition that was there.")],
                "Defines a \(kind), or replaces its definition and keeps what the user did with it. \(revisions)InvalidArgument names the entry by its "
                    + "path; at most 256 \(kind)s an application."),
            MethodDescription(
                Self.remove, in: [Self.app, item],
                "Takes away a \(kind) that was defined here, and unless a manifest defines it too, what the user did with it; its run ends as released. "
                    + "NotFound where nobody defines it; one that only a manifest defines stays."),
            MethodDescription(
                Self.reset, in: [Self.app, item],
                "Forgets what the user did with a \(kind), so that it is new; its run ends as released. NotFound where there is no such \(kind)."
            ),
            MethodDescription(
                Self.list, in: [Self.app],
                out: [
                    ArgumentDescription(
                        "\(kind)s", "a(sa{sv})", documentation("The id and the state of each, sorted by id.", listed))
                ], "Lists the \(kind)s of an application, whoever defined them."),
        ]
    }

    /// The method that begins a run, if the item is due.
    func beginning(_ options: [DictionaryEntry], returning presented: ArgumentDescription, _ documented: String)
        -> MethodDescription
    {
        MethodDescription(
            begin, in: [Self.app, item, ArgumentDescription("options", "a{sv}", documentation("All optional.", options))],
            out: [
                ArgumentDescription("show", "b", "Whether to show it now."),
                ArgumentDescription("reason", "s", "Why not: the first gate that it doesn't pass; empty if it is to be shown."),
                ArgumentDescription("run", "t", "The number of this run, which no other has; 0 if it isn't to be shown."),
                presented,
            ], documented)
    }

    /// The signal that the attributes in a definition have changed.
    func changing(_ member: MemberName, to presented: ArgumentDescription) -> SignalDescription {
        SignalDescription(
            member, [Self.app, item, run, presented],
            "The attributes in the definition of a \(kind) changed while it is presented: \(Self.sentToPresenter).")
    }

    /// The signal that a run has ended; `outcomes` are those it may end with, `more` what else it carries.
    func ending(_ member: MemberName, outcomes: String, _ more: ArgumentDescription...) -> SignalDescription {
        SignalDescription(
            member, [Self.app, item, run, ArgumentDescription("outcome", "s", "One of \(outcomes).")] + more,
            "A run has ended, once: \(Self.sentToPresenter).")
    }
}
