import DBusTypes
import DefaultsKit

private enum Color: String, DefaultsValue { case red, green }

private struct Point: Codable, Hashable, DefaultsValue {
    var x: Int
    var label: String?
}

extension Keys {
    fileprivate static let number = Key<Int>("number", default: 0)
    fileprivate static let color = Key<Color>("color", default: .red)
    fileprivate static let point = Key<Point?>("point")
    fileprivate static let text = Key<String?>("text")
}

extension Conformance {
    static let preferences: [ConformanceCheck] = [
        ConformanceCheck(name: "P3: every type comes back with its type and bits") { subject in
            let values: [Value] = [
                .byte(7), .boolean(true), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min), .uint64(.max),
                .double(-0.0), .double(.init(bitPattern: 0x7FF8_0000_0000_1234)), .double(.infinity), .string(""),
                .string("é 🇺🇦 \u{1}"),
                .objectPath("/a/b"), .signature("a{sv}"), .bytes([]), .array([Int32]()), .array(["a", "b"]), .vardict([]),
                .structure([.int32(1), .string("x")]), .variant(.variant(.byte(1))),
            ]
            for (index, value) in values.enumerated() { subject.defaults.set(value, forKey: "k\(index)") }
            try subject.expect(subject.defaults.synchronize(), "synchronize() failed")
            for (index, value) in values.enumerated() {
                try subject.expect(subject.other.object(forKey: "k\(index)"), is: value, "the value of type \(value.type.text)")
            }
        },
        ConformanceCheck(name: "P6: a write is seen at once by its writer, and by another client once it is on disk") { subject in
            for number in 1...50 {
                let write = subject.defaults.set(number, for: .number)
                try subject.expect(subject.defaults[.number], is: number, "the writer's own read")
                try await write.onDisk()
                try subject.expect(subject.other.reading(.number).value, is: number, "another client's read")
                try subject.expect(!subject.other.reading(.number).isStale, "the read is stale")
            }
        },
        ConformanceCheck(name: "P14: absent, wrong type and undecodable are told apart, and nothing is overwritten") { subject in
            try subject.expect(subject.defaults.reading(.color).outcome, is: .absent, "what was never set")
            try await subject.other.set("blue", forKey: "color").onDisk()
            guard case .undecodable = subject.defaults.reading(.color).outcome else {
                throw ConformanceFailure(check: subject.check, message: "a case that no one knows is not undecodable")
            }
            try await subject.other.set(3, forKey: "color").onDisk()
            guard case .wrongType = subject.defaults.reading(.color).outcome else {
                throw ConformanceFailure(check: subject.check, message: "a number is not the wrong type for a text")
            }
            try await subject.expect(.wrongType, "update") { try await subject.defaults.update(.color) { _ in .green } }
            try subject.expect(subject.other.integer(forKey: "color"), is: 3, "the stored value")
        },
        ConformanceCheck(name: "Structures are native dictionaries, nil resets") { subject in
            try await subject.defaults.set(Point(x: 3, label: nil), for: .point).onDisk()
            try subject.expect(subject.other.object(forKey: "point"), is: .vardict([("x", .int64(3))]), "the stored structure")
            try await subject.defaults.set(nil, for: .point).onDisk()
            try subject.expect(subject.other.reading(.point).outcome, is: .absent, "after nil")
        },
        ConformanceCheck(name: "P1: registered defaults lie below the user's values, in one application alone") { subject in
            subject.defaults.register(defaults: ["number": 5])
            try subject.expect(subject.defaults[.number], is: 5, "the registered value")
            subject.defaults[.number] = 6
            try subject.expect(subject.defaults[.number], is: 6, "the user's value")
            subject.defaults.reset(.number)
            try subject.expect(subject.defaults[.number], is: 5, "the value after a reset")
            let stranger = Defaults(app: "org.example.Conformance.Stranger", at: subject.daemon.endpoint)
            try subject.expect(stranger.reading(.number).outcome, is: .absent, "another application's value")
        },
        ConformanceCheck(name: "global reaches every application that has no value of its own") { subject in
            let key = Key<Int>("conformance-shared", default: 0)
            let global = Defaults.global(at: subject.daemon.endpoint)
            let values = subject.defaults.watch(key).makeAsyncIterator()
            try subject.expect(await values.next(), is: 0, "the first element")
            try await global.set(4, for: key).onDisk()
            try subject.expect(await values.next(), is: 4, "the value from global")
            try await global.reset(key).onDisk()
            try subject.expect(await values.next(), is: 0, "the value without it")
        },
        ConformanceCheck(name: "P4, P5: the same value again is told to no one and raises no revision") { subject in
            let values = subject.other.watch(.number).makeAsyncIterator()
            _ = await values.next()
            try await subject.defaults.set(1, for: .number).onDisk()
            try subject.expect(await values.next(), is: 1, "the change")
            let revision = try await subject.defaults.revision()
            for _ in 0..<3 { try await subject.defaults.set(1, for: .number).onDisk() }
            try subject.expect(try await subject.defaults.revision(), is: revision, "the revision")
            try await subject.defaults.set(2, for: .number).onDisk()
            try subject.expect(await values.next(), is: 2, "the next element")
        },
        ConformanceCheck(name: "update and increment lose nothing between two clients") { subject in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for defaults in [subject.defaults, subject.other] {
                    group.addTask { for _ in 0..<50 { try await defaults.increment(.number) } }
                }
                try await group.waitForAll()
            }
            try subject.expect(subject.defaults[.number], is: 100, "the sum")
        },
        ConformanceCheck(name: "A transaction is made as one, and refused where its revision is past") { subject in
            let revision = try await subject.defaults.revision()
            try await subject.defaults.transaction(expecting: revision) {
                $0.set(1, for: .number)
                $0.set("one", for: .text)
            }.onDisk()
            try subject.expect(subject.other.reading(.text).value, is: "one", "what the transaction set")
            try await subject.expect(.revisionMismatch, "a transaction of the past") {
                try await subject.defaults.transaction(expecting: revision) { $0.set(2, for: .number) }.onDisk()
            }
            try subject.expect(subject.defaults[.number], is: 1, "the number")
        },
        ConformanceCheck(name: "Names that break their rule are refused, and change nothing") { subject in
            try await subject.expect(.invalidName, "an empty key") { try await subject.defaults.set(1, forKey: "").onDisk() }
            try await subject.expect(.invalidName, "an application without a dot") {
                try await Defaults(app: "nodot", at: subject.daemon.endpoint).set(1, for: .number).onDisk()
            }
            try await subject.expect(.limitExceeded, "a value of more than 1 MiB") {
                try await subject.defaults.set(String(repeating: "a", count: 1 << 21), for: .text).onDisk()
            }
            try subject.expect(subject.defaults[.text], is: nil, "the text")
        },
    ]
}
