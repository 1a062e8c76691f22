import DBusTypes

extension LaunchHistory {
    /// What the owner of the latest transition was answered; or was to be answered, had the daemon not ended between disk and reply.
    struct OwnerAnswer: Sendable {
        let caller: ConnectionName
        let version: Version
        let launch: Launch
    }

    /// The answer to the owner of the latest transition, where `caller` is that and asks for the same version again; else nil.
    ///
    /// So a transition has its owner also if the daemon was killed after it was stored and before it was told (L1, L2).
    public func ownerAnswer(to caller: ConnectionName, version: Version) -> Launch? {
        guard let answer = facts?.ownerAnswer, answer.caller == caller, version.change(from: answer.version) == .same else {
            return nil
        }
        return answer.launch
    }
}

extension LaunchHistory.OwnerAnswer {
    /// The `a{sv}` in a record.
    var stored: Value {
        .vardict([
            ("bus", .string(caller.bus)), ("caller", .string(caller.name.text)), ("version", version.stored),
            ("launch", launch.dictionary(pending: [])),
        ])
    }

    /// Reads what `stored` gave; nil for anything else.
    init?(stored: Value) {
        guard let entries = stored.dictionary, let bus = entries["bus"]?.get(as: String.self),
            let name = entries["caller"]?.get(as: String.self).flatMap(BusName.init), name.isUnique,
            let version = entries["version"].flatMap(Version.init(stored:)),
            let launch = entries["launch"]?.dictionary.flatMap(Launch.init(stored:))
        else { return nil }
        caller = ConnectionName(bus: bus, name: name)
        self.version = version
        self.launch = launch
    }
}

extension Launch {
    /// Reads the dictionary of a launch, but for what is pending; nil where an entry is missing or can't be.
    fileprivate init?(stored entries: DictionaryValue) {
        guard let kind = entries["kind"]?.get(as: String.self).flatMap(LaunchKind.init),
            let word = entries["significance"]?.get(as: String.self),
            let isOwner = entries["owner"]?.get(as: Bool.self), let isRevisit = entries["revisit"]?.get(as: Bool.self),
            let version = entries["version"]?.get(as: String.self),
            let previousVersion = entries["previous_version"]?.get(as: String.self),
            let highestVersion = entries["highest_version"]?.get(as: String.self),
            let firstVersion = entries["first_version"]?.get(as: String.self),
            let launches = entries["launches"]?.get(as: UInt64.self),
            let launchesOfVersion = entries["launches_of_version"]?.get(as: UInt64.self),
            let firstLaunch = entries["first_launch"]?.get(as: Int64.self),
            let previousLaunch = entries["previous_launch"]?.get(as: Int64.self)
        else { return nil }
        let significance = Significance(rawValue: word)
        guard word.isEmpty || significance != nil else { return nil }
        self.init(
            kind: kind, significance: significance, isOwner: isOwner, isRevisit: isRevisit, version: version,
            previousVersion: previousVersion, highestVersion: highestVersion, firstVersion: firstVersion, launches: launches,
            launchesOfVersion: launchesOfVersion, firstLaunch: firstLaunch, previousLaunch: previousLaunch)
    }
}
