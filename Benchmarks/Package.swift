// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]
let bus: Target.Dependency = .product(name: "LibDBus", package: "defaultsd")

/// A peer in C: a program of its own.
func peer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies)
}

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "defaultsd", path: "..")],
    targets: [
        .systemLibrary(name: "CPeerDBus", pkgConfig: "dbus-1"),
        .systemLibrary(name: "CPeerDconf", pkgConfig: "dconf"),
        .systemLibrary(name: "CPeerSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CPeerXfconf", pkgConfig: "libxfconf-0"),
        .target(name: "CPeerLine"),
        .target(name: "CBusClient", dependencies: ["CPeerDBus"]),

        peer("BusPeer", ["CPeerDBus", "CPeerSQLite"]),
        peer("CountdownPeer", ["CPeerDBus"]),
        peer("DconfPeer", ["CPeerDconf", "CPeerLine"]),
        peer("XfconfPeer", ["CPeerXfconf", "CPeerLine"]),
        .executableTarget(name: "DispatchPeer", swiftSettings: strict),
        .executableTarget(name: "UserDefaultsPeer", dependencies: ["CPeerLine"], swiftSettings: strict),
        .executableTarget(
            name: "MirrorReader", dependencies: ["CPeerLine", bus, .product(name: "DefaultsKit", package: "defaultsd")],
            swiftSettings: strict),

        .target(name: "Harness", dependencies: [bus], swiftSettings: strict),
        .executableTarget(name: "benchmarks", dependencies: ["Harness", "CBusClient", bus], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
