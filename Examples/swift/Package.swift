// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "onboarding",
    dependencies: [.package(name: "defaultsd", path: "../..")],
    targets: [
        .executableTarget(name: "onboarding", dependencies: [.product(name: "DefaultsKit", package: "defaultsd")])
    ])
