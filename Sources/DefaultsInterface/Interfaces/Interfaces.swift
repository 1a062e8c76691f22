import DBusTypes

/// All interfaces, for what concerns each of them: the XML files, and checks of the whole.
public enum Interfaces {
    /// Every interface that a daemon has, in the order in which they are documented.
    public static let all: [InterfaceDescription] = [
        PreferencesInterface.description, LaunchesInterface.description, GuidesInterface.description, ToursInterface.description,
        TipsInterface.description, CountdownsInterface.description, CountdownInterface.description, MachineInterface.description,
        AdminInterface.description,
    ]

    /// Every interface, with the one that only `--test-clock` adds.
    public static let allWithTestClock: [InterfaceDescription] = all + [TestClockInterface.description]
}
