// swift-tools-version: 6.2
import PackageDescription

/// The language as every Swift target of this package speaks it; `.ci/check-imports` holds each file's imports
/// against the dependencies below.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func program(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: swiftSettings)
}

func library(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

let package = Package(
    name: "push-stories",
    products: [
        .executable(name: "storiesd", targets: ["storiesd"]),
        .executable(name: "storiesctl", targets: ["storiesctl"]),
    ],
    targets: [
        // C libraries: one box each.
        library("CCurl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
        library("CXXHash", pkgConfig: "libxxhash", package: "libxxhash-dev"),
        library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        library("CMicrohttpd", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
        library("CSystemd", pkgConfig: "libsystemd", package: "libsystemd-dev"),
        .target(name: "CLinux", cSettings: [.define("_GNU_SOURCE")]),

        // Foundations: no word of the product in them.
        module("Platform", ["CLinux", "CSystemd"]),
        module("JSON"),
        module("Hashing", ["CXXHash"]),
        module("Addresses", ["CCurl"]),
        module("ImageInspection"),
        module("Metrics"),

        // The house.
        module("Stories", ["Addresses", "Hashing", "JSON", "Platform"]),
        module("Inbox", ["JSON", "Platform", "Stories"]),
        module("Transfers", ["Addresses", "CCurl", "CLinux", "Hashing", "ImageInspection", "Platform", "Stories"]),
        module("MediaCache", ["CSQLite", "Hashing", "ImageInspection", "JSON", "Platform", "Stories"]),
        module(
            "Prefetching",
            [
                "Addresses", "Hashing", "ImageInspection", "JSON", "MediaCache", "Metrics", "Platform", "Stories",
                "Transfers",
            ]
        ),
        module("ControlAPI", ["CCurl", "JSON"]),
        module("ControlServer", ["CLinux", "CMicrohttpd", "ControlAPI", "JSON", "Platform"]),
        module(
            "Daemon",
            [
                "Addresses", "ControlAPI", "ControlServer", "Hashing", "ImageInspection", "Inbox", "JSON", "MediaCache",
                "Metrics", "Platform",
                "Prefetching", "Stories", "Transfers",
            ]
        ),
        program("storiesd", ["Daemon"]),
        module("ControlTool", ["ControlAPI", "JSON", "Platform"]),
        program("storiesctl", ["ControlTool", "Platform"]),

        // Origins that do what a test has written down for them, and one for `make demo`. Without Foundation, so that
        // the demonstration links like the programs.
        .target(
            name: "TestOrigins", dependencies: ["CLinux", "Platform"], path: "Tests/TestOrigins",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "demo-origin", dependencies: ["Platform", "TestOrigins"], path: "Tests/Demo",
            exclude: ["docs-request.json", "pictures", "run"], swiftSettings: swiftSettings),

        // What tests share: temporary directories, origins, the programs as processes.
        .target(
            name: "TestSupport", dependencies: ["CLinux", "ControlAPI", "JSON", "Platform", "Stories", "TestOrigins"],
            path: "Tests/TestSupport", swiftSettings: swiftSettings),
        // `make bench`.
        .executableTarget(
            name: "bench", dependencies: ["ControlAPI", "JSON", "Platform", "Stories", "TestSupport"],
            path: "Tests/Bench",
            swiftSettings: swiftSettings),
        tests("PlatformTests", ["Platform", "TestSupport"]),
        tests("JSONTests", ["JSON", "TestSupport"]),
        tests("HashingTests", ["Hashing"]),
        tests("AddressesTests", ["Addresses", "TestSupport"]),
        tests("ImageInspectionTests", ["ImageInspection", "TestSupport"], resources: [.copy("Samples")]),
        tests(
            "StoriesTests", ["Addresses", "Hashing", "JSON", "Platform", "Stories", "TestSupport"],
            resources: [.copy("Payloads")]),
        tests("MetricsTests", ["Metrics"]),
        tests("InboxTests", ["Inbox", "JSON", "Platform", "Stories", "TestSupport"]),
        tests(
            "TransfersTests",
            [
                "Addresses", "CCurl", "Hashing", "ImageInspection", "Platform", "Stories", "TestOrigins", "TestSupport",
                "Transfers",
            ]),
        tests(
            "MediaCacheTests",
            ["Hashing", "ImageInspection", "MediaCache", "Platform", "Stories", "TestSupport"]),
        tests(
            "PrefetchingTests",
            [
                "Addresses", "Hashing", "ImageInspection", "Inbox", "JSON", "MediaCache", "Metrics", "Platform",
                "Prefetching",
                "Stories", "TestOrigins", "TestSupport", "Transfers",
            ]),
        tests("ControlTests", ["ControlAPI", "ControlServer", "ControlTool", "JSON", "Platform", "TestSupport"]),
        tests(
            "DaemonTests",
            [
                "ControlAPI", "ControlServer", "Daemon", "JSON", "MediaCache", "Metrics", "Platform", "Stories",
                "TestSupport",
            ]),
        // The built programs, from outside.
        tests(
            "EndToEndTests",
            [
                "ControlAPI", "Hashing", "JSON", "Platform", "Stories", "TestOrigins", "TestSupport", "storiesctl",
                "storiesd",
            ]),
    ]
)
