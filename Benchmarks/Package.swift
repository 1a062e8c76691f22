// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "defaultsd", path: "..")],
    targets: [
        .systemLibrary(name: "CPeerDBus", pkgConfig: "dbus-1"),
        .target(
            name: "Harness", dependencies: [.product(name: "LibDBus", package: "defaultsd")], swiftSettings: strict),
        .executableTarget(name: "CountdownPeer", dependencies: ["CPeerDBus"]),
        .executableTarget(
            name: "countdowns", dependencies: ["Harness", .product(name: "LibDBus", package: "defaultsd")], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
