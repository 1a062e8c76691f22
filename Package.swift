// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "defaultsd",
    products: [
        .library(name: "LibDBus", targets: ["LibDBus", "DBusTypes"]),
        .library(name: "DefaultsKit", targets: ["DefaultsKit", "DBusTypes"]),
        .library(name: "DefaultsKitTesting", targets: ["DefaultsKitTesting"]),
        .executable(name: "defaultsd", targets: ["defaultsd"]),
        .executable(name: "defaultsctl", targets: ["defaultsctl"]),
    ],
    targets: [
        // Each line needs only lines above it.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .target(name: "CLinux"),

        library("DBusTypes"),
        library("EventLoop", ["CSystemd"]),
        library("LibDBus", ["DBusTypes", "CDBus"]),
        library("DefaultsInterface", ["DBusTypes"]),
        library("DefaultsModel", ["DBusTypes"]),
        library("DefaultsManifest", ["DefaultsModel", "DBusTypes", "CJansson", "CLinux"]),
        library("DefaultsStore", ["DefaultsModel", "DBusTypes", "CSQLite", "CLinux"]),
        library(
            "DefaultsDaemon",
            [
                "DefaultsInterface", "DefaultsModel", "DefaultsManifest", "DefaultsStore", "LibDBus", "EventLoop", "DBusTypes",
                "CLinux",
            ]),
        library("DefaultsKit", ["DefaultsInterface", "LibDBus", "DBusTypes", "CLinux"]),
        library(
            "DefaultsKitTesting", ["DefaultsKit", "DefaultsInterface", "DefaultsModel", "LibDBus", "DBusTypes", "CLinux"]),
        library("DefaultsCommands", ["DefaultsInterface", "DefaultsManifest", "LibDBus", "DBusTypes", "CLinux"]),

        program("defaultsd", ["DefaultsDaemon"]),
        program("defaultsctl", ["DefaultsCommands"]),

        .target(name: "CSupport", path: "Tests/CSupport"),
        .target(
            name: "Support", dependencies: ["DefaultsInterface", "LibDBus", "DBusTypes", "CSupport"], path: "Tests/Support",
            swiftSettings: strict),
        .executableTarget(
            name: "MirrorHammer",
            dependencies: ["DefaultsKit", "DefaultsInterface", "Support", "LibDBus", "DBusTypes", "CLinux"],
            path: "Tests/MirrorHammer", swiftSettings: strict),
        .executableTarget(
            name: "ReadmeExample", dependencies: ["DefaultsKit"], path: "Tests/ReadmeExample", swiftSettings: strict),
        .executableTarget(
            name: "faults",
            dependencies: ["Support", "DefaultsStore", "DefaultsModel", "DefaultsInterface", "LibDBus", "DBusTypes"],
            path: "Tests/Faults", swiftSettings: strict),
        tests("SupportTests", ["Support", "LibDBus", "DBusTypes", "defaultsd"]),

        tests("DBusTypesTests", ["DBusTypes", "CDBus", "Support"]),
        tests("EventLoopTests", ["EventLoop", "Support"]),
        tests("LibDBusTests", ["LibDBus", "DBusTypes", "CDBus", "Support"]),
        tests("DefaultsInterfaceTests", ["DefaultsInterface", "DBusTypes"]),
        tests("DefaultsModelTests", ["DefaultsModel", "DBusTypes", "Support"]),
        tests("DefaultsManifestTests", ["DefaultsManifest", "DefaultsModel", "DBusTypes", "Support"]),
        tests("DefaultsKitTests", ["DefaultsKit", "DefaultsInterface", "DBusTypes", "CLinux"]),
        tests("DefaultsKitTestingTests", ["DefaultsKitTesting", "DefaultsKit", "DBusTypes"]),
        tests(
            "DefaultsStoreTests", ["DefaultsStore", "DefaultsModel", "DBusTypes", "CSQLite", "CLinux", "CSupport", "Support"],
            exclude: ["Fixtures"]),
        tests("DefaultsDaemonTests", ["DefaultsDaemon", "DefaultsModel", "LibDBus", "DBusTypes", "CLinux", "Support"]),
        tests(
            "DefaultsCommandsTests", ["DefaultsCommands", "DefaultsInterface", "LibDBus", "DBusTypes", "Support", "defaultsctl"]),
        tests(
            "EndToEndTests",
            [
                "Support", "LibDBus", "DefaultsInterface", "DefaultsKit", "DefaultsKitTesting", "DefaultsManifest",
                "DefaultsModel", "DBusTypes",
                "CLinux", "MirrorHammer", "ReadmeExample", "defaultsd", "defaultsctl",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// libFuzzer's entry takes the place of an ordinary program's, so this one is there for scripts/fuzz alone.
if Context.environment["DEFAULTSD_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: ["DefaultsCommands", "DefaultsManifest", "DefaultsModel", "LibDBus", "DBusTypes", "CDBus"],
            path: "Tests/Fuzz", swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
    package.products.append(.executable(name: "fuzz", targets: ["fuzz"]))
}
