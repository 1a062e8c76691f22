import DBusTypes
import DefaultsInterface
import Testing

@Suite("Names and dictionaries")
struct NameTests {
    @Test("The errors are those of the documentation")
    func errors() {
        let own = """
            NoSuchKey InvalidName InvalidValue InvalidArgument InvalidVersion TypeMismatch OutOfRange Locked LimitExceeded \
            RevisionMismatch NotFound AlreadyExists AlreadyFinished NotYetSkippable StorageFull StorageFailed StorageReadOnly Unavailable
            """
        let standard = "AccessDenied UnknownMethod UnknownInterface UnknownObject UnknownProperty PropertyReadOnly InvalidArgs"
        let expected =
            own.split(separator: " ").map { "org.defaultsd1.Error.\($0)" }
            + standard.split(separator: " ").map { "org.freedesktop.DBus.Error.\($0)" }
        #expect(ErrorNames.all.map(\.text) == expected)
    }

    @Test(
        "Dictionary entries are those of the documentation, with their types",
        arguments: [
            (RecordOptions.all, "scheme s, existing_user b, baseline_version s"),
            (
                LaunchEntries.all,
                "kind s, significance s, owner b, revisit b, version s, previous_version s, highest_version s, first_version s, "
                    + "launches t, launches_of_version t, first_launch x, previous_launch x, pending as"
            ),
            (
                CountdownSpecEntries.all,
                "duration t, tick t, start s, skippable_after t, on_suspend s, on_owner_lost s, replace b, purpose s"
            ),
            (
                CountdownStateEntries.all,
                "state s, duration t, tick t, remaining t, remaining_ticks u, skippable b, owner s, purpose s, reason s"
            ),
        ])
    func entries(entries: [DictionaryEntry], expected: String) {
        #expect(entries.map { "\($0.name) \($0.type.text)" }.joined(separator: ", ") == expected)
    }

    @Test("A countdown's path is known before it starts")
    func countdownPath() {
        #expect(WellKnown.countdownPath(owner: ":1.42", token: "skip_10")?.text == "/org/defaultsd1/countdown/1_42/skip_10")
        #expect(WellKnown.countdownPath(owner: ":1.0", token: String(repeating: "a", count: 64)) != nil)
    }

    @Test(
        "No path for what can't be a token, nor for a well-known name",
        arguments: [
            (":1.42", ""), (":1.42", "a-b"), (":1.42", "a/b"), (":1.42", "ä"), (":1.42", "a b"),
            (":1.42", String(repeating: "a", count: 65)), ("org.example.App", "token"), (":1.a-b", "token"),
        ])
    func noCountdownPath(owner: String, token: String) throws {
        #expect(WellKnown.countdownPath(owner: try #require(BusName(owner)), token: token) == nil)
    }
}
