import DBusTypes
import Testing

@testable import DefaultsModel

@Suite("Launches")
struct LaunchHistoryTests {
    /// Records versions one after the other, a second apart.
    private func launches(
        _ versions: [String], options: LaunchOptions = LaunchOptions()
    ) throws -> (history: LaunchHistory, launches: [Launch]) {
        var history = LaunchHistory()
        var launches: [Launch] = []
        for (place, text) in versions.enumerated() {
            let version = try Version(text, scheme: options.scheme)
            launches.append(history.record(version, options: options, at: .start.after(milliseconds: Int64(place) * 1000)))
        }
        return (history, launches)
    }

    @Test("L3: nothing on record is first; the same version again is same")
    func first() throws {
        let (history, launches) = try launches(["1.0", "1.0.0"])
        let wall = Instant.start.wall
        #expect(
            launches[0]
                == Launch(
                    kind: .first, significance: nil, isOwner: true, isRevisit: false, version: "1.0", previousVersion: "",
                    highestVersion: "1.0", firstVersion: "1.0", launches: 1, launchesOfVersion: 1, firstLaunch: wall,
                    previousLaunch: 0))
        #expect(
            launches[1]
                == Launch(
                    kind: .same, significance: nil, isOwner: false, isRevisit: false, version: "1.0.0", previousVersion: "1.0",
                    highestVersion: "1.0.0", firstVersion: "1.0", launches: 2, launchesOfVersion: 2, firstLaunch: wall,
                    previousLaunch: wall))
        #expect(history.versions.count == 1)
    }

    @Test("A launch is an a{sv} with every entry, also the empty ones")
    func dictionary() throws {
        let launch = try launches(["1.0"]).launches[0]
        let wall = Instant.start.wall
        #expect(
            launch.dictionary(pending: ["welcome", "new"])
                == .vardict([
                    ("kind", .string("first")), ("significance", .string("")), ("owner", .boolean(true)),
                    ("revisit", .boolean(false)),
                    ("version", .string("1.0")), ("previous_version", .string("")), ("highest_version", .string("1.0")),
                    ("first_version", .string("1.0")), ("launches", .uint64(1)), ("launches_of_version", .uint64(1)),
                    ("first_launch", .int64(wall)), ("previous_launch", .int64(0)), ("pending", .array(["welcome", "new"])),
                ]))
        #expect(launch.dictionary(pending: []).dictionary?["pending"]?.type.text == "as")
    }

    @Test("L1: of twenty processes at one instant exactly one is the owner (scenario 16)")
    func oneOwner() throws {
        for texts in [Array(repeating: "1.0", count: 20), ["0.9"] + Array(repeating: "1.0", count: 20)] {
            var (history, launches) = try launches(texts)
            #expect(launches.suffix(20).filter(\.isOwner).count == 1)
            #expect(launches.suffix(20).first?.isOwner == true)
            #expect(launches.suffix(19).allSatisfy { $0.kind == .same })
            // The daemon is killed and comes back with what is on disk.
            history = try #require(history.stored.flatMap(LaunchHistory.init(stored:)))
            #expect(try history.record(Version("1.0"), at: .start).isOwner == false)
        }
    }

    @Test("L3: an existing user, or one with a baseline, is adopted once (scenario 19)")
    func adopted() throws {
        let existing = try launches(["2.0", "2.0"], options: LaunchOptions(existingUser: true))
        #expect(existing.launches.map(\.kind) == [.adopted, .same])
        #expect(existing.history.firstKind == .adopted)
        #expect(existing.history.baselineVersion == nil)
        let baseline = try launches(["2.0", "2.1"], options: LaunchOptions(baselineVersion: Version("1.4")))
        #expect(baseline.launches.map(\.kind) == [.adopted, .upgrade])
        #expect(baseline.launches[0].previousVersion == "" && baseline.launches[0].firstVersion == "2.0")
        #expect(baseline.history.baselineVersion?.text == "1.4")
        #expect(try launches(["2.0"]).launches[0].kind == .first)
    }

    @Test("L4: down and up again is downgrade, then upgrade with revisit (scenario 18)")
    func revisit() throws {
        let launches = try launches(["2.1", "1.5", "2.1", "2.2", "1.0", "2.0", "2.3"]).launches
        #expect(launches.map(\.kind) == [.first, .downgrade, .upgrade, .upgrade, .downgrade, .upgrade, .upgrade])
        #expect(launches.map(\.isRevisit) == [false, false, true, false, false, true, false])
        #expect(launches.map(\.highestVersion) == ["2.1", "2.1", "2.1", "2.2", "2.2", "2.2", "2.3"])
        #expect(launches.map(\.significance) == [nil, .major, .major, .minor, .major, .major, .minor])
        #expect(launches.map(\.previousVersion) == ["", "2.1", "1.5", "2.1", "2.2", "1.0", "2.0"])
        #expect(launches.map(\.launchesOfVersion) == [1, 1, 2, 1, 1, 1, 1])
    }

    @Test("L5: a release after a pre-release is measured against the highest release (scenario 18)")
    func releaseAfterPrerelease() throws {
        let launches = try launches(["6.2.0", "6.3.80-dev", "6.3.0"]).launches
        #expect(launches.map(\.kind) == [.first, .upgrade, .upgrade])
        #expect(launches[2].significance == .minor && !launches[2].isRevisit)
        #expect(launches[2].previousVersion == "6.3.80-dev")
        #expect(launches.map(\.highestVersion) == ["6.2.0", "6.2.0", "6.3.0"])
    }

    @Test("L5: back to the release that one had is a downgrade")
    func backToRelease() throws {
        let launches = try launches(["2.0.0", "2.1.0-beta", "2.0.0", "2.1.0-beta", "2.1.0"]).launches
        #expect(launches.map(\.kind) == [.first, .upgrade, .downgrade, .upgrade, .upgrade])
        #expect(launches.map(\.significance) == [nil, .minor, .minor, .minor, .minor])
        #expect(launches.allSatisfy { !$0.isRevisit })
        #expect(launches.map(\.highestVersion) == ["2.0.0", "2.0.0", "2.0.0", "2.0.0", "2.1.0"])
    }

    @Test("L5: a lower release than the highest, after a pre-release, is measured against the last")
    func lowerReleaseAfterPrerelease() throws {
        let launches = try launches(["2.0", "1.5", "1.6-beta", "1.5.5", "1.7-rc1", "1.8"]).launches
        #expect(launches.map(\.kind) == [.first, .downgrade, .upgrade, .downgrade, .upgrade, .upgrade])
        #expect(launches.map(\.isRevisit) == [false, false, true, false, true, true])
        #expect(launches.allSatisfy { $0.highestVersion == "2.0" })
    }

    @Test("L5: while there is no release the highest is the highest pre-release")
    func onlyPrereleases() throws {
        let launches = try launches(["2.0-beta", "2.0-rc1", "2.0-beta", "2.0-beta.2", "1.9", "2.0-rc2", "2.0"]).launches
        #expect(launches.map(\.highestVersion) == ["2.0-beta", "2.0-rc1", "2.0-rc1", "2.0-rc1", "1.9", "1.9", "2.0"])
        #expect(launches.map(\.kind) == [.first, .upgrade, .downgrade, .upgrade, .downgrade, .upgrade, .upgrade])
        #expect(launches.map(\.isRevisit) == [false, false, false, true, false, false, false])
        #expect(launches[6].significance == .major, "over 1.9, the highest release")
    }

    @Test("V4: another build of the version is rebuild, and its own row of the history")
    func rebuild() throws {
        let (history, launches) = try launches(["1.4 (17)", "1.4 (18)", "1.4 (18)", "1.4 (17)"])
        #expect(launches.map(\.kind) == [.first, .rebuild, .same, .rebuild])
        #expect(launches.map(\.isOwner) == [true, true, false, true])
        #expect(launches.map(\.launchesOfVersion) == [1, 1, 2, 2])
        #expect(launches.map(\.highestVersion) == ["1.4 (17)", "1.4 (18)", "1.4 (18)", "1.4 (17)"])
        #expect(history.versions.map(\.version.text) == ["1.4 (17)", "1.4 (18)"])
    }

    @Test("V5: opaque versions are changed, and no highest among versions that compare")
    func opaque() throws {
        let launches = try launches(["nightly", "weekly", "1.0", "nightly", "1.1", "1.2"]).launches
        #expect(launches.map(\.kind) == [.first, .changed, .changed, .changed, .changed, .upgrade])
        #expect(launches.map(\.highestVersion) == ["nightly", "weekly", "1.0", "1.0", "1.1", "1.2"])
        #expect(launches.allSatisfy { !$0.isRevisit })
        let texts = try self.launches(["1.0", "2.0", "1.0"], options: LaunchOptions(scheme: .opaque)).launches
        #expect(texts.map(\.kind) == [.first, .changed, .changed])
        #expect(texts.map(\.significance) == [nil, nil, nil])
    }

    @Test("L6: a clock in the past or the future changes no decision and no order")
    func clock() throws {
        var history = LaunchHistory()
        let walls: [Int64] = [4_000_000_000_000_000, 0, -5, .max, .min]
        let kinds = try zip(["1.0", "1.1", "1.2", "1.1", "1.1"], walls).map { text, wall in
            try history.record(Version(text), at: Instant(boottime: 0, monotonic: 0, wall: wall)).kind
        }
        #expect(kinds == [.first, .upgrade, .upgrade, .downgrade, .same])
        #expect(history.versions.map(\.version.text) == ["1.1", "1.2", "1.0"])
        #expect(history.versions[0].firstSeen == 0 && history.versions[0].lastSeen == .min)
    }

    @Test("History is a(sxxt), newest first by its last launch, at most 64; counts and first version stay")
    func historyRows() throws {
        #expect(LaunchHistory().versionsValue.type.text == "a(sxxt)")
        let (history, launches) = try launches((0..<100).map { "1.\($0)" } + ["1.50"])
        #expect(history.versions.count == 64)
        #expect(history.versions.prefix(3).map(\.version.text) == ["1.50", "1.99", "1.98"])
        #expect(history.versions.last?.version.text == "1.36")
        let wall = Instant.start.wall
        guard case .array(let rows) = history.versionsValue else {
            Issue.record("no array")
            return
        }
        #expect(
            rows.values.first
                == .structure([.string("1.50"), .int64(wall + 50_000_000), .int64(wall + 100_000_000), .uint64(2)]))
        #expect(launches.last?.firstVersion == "1.0" && launches.last?.launches == 101)
        #expect(launches.last?.highestVersion == "1.99" && launches.last?.isRevisit == false && launches.last?.kind == .downgrade)
    }

    @Test("P9: with lost data and nothing on record a launch is unknown, the next is same")
    func unknown() throws {
        var history = LaunchHistory()
        let options = try LaunchOptions(existingUser: true, baselineVersion: Version("0.9"))
        let launch = try history.record(Version("1.0"), options: options, storeLostData: true, at: .start)
        #expect(launch.kind == .unknown && launch.isOwner)
        #expect(history.beganUnknown)
        history = try #require(history.stored.flatMap(LaunchHistory.init(stored:)))
        #expect(try history.record(Version("1.0"), storeLostData: true, at: .start).kind == .same)
        #expect(try history.record(Version("1.1"), storeLostData: true, at: .start).kind == .upgrade)
        #expect(history.beganUnknown)
        let acknowledged = [history.acknowledgeLoss(), history.acknowledgeLoss()]
        #expect(acknowledged == [true, false])
        #expect(!history.beganUnknown)
    }

    @Test("P9: what is on record is compared as ever, though the store lost data")
    func knownInRestoredStore() throws {
        var history = try launches(["1.0"]).history
        #expect(try history.record(Version("1.1"), storeLostData: true, at: .start).kind == .upgrade)
        #expect(!history.beganUnknown)
    }

    @Test("Query tells the latest launch, without its owner; NotFound if there is none")
    func query() throws {
        let app = try #require(DomainName("org.example.App"))
        let error = #expect(throws: ModelError.self) { try LaunchHistory().query(app: app) }
        #expect(error?.code == .notFound && error?.message.contains("org.example.App") == true)
        let (history, launches) = try launches(["1.0", "1.0", "1.1"])
        let query = try history.query(app: app)
        #expect(query.kind == .upgrade && query.significance == .minor && !query.isOwner)
        #expect((query.version, query.previousVersion, query.launches) == ("1.1", "1.0", 3))
        #expect(query.previousLaunch == launches[2].previousLaunch)
    }
}
