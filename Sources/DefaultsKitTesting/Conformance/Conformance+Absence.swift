import DefaultsKit

extension Keys {
    fileprivate static let number = Key<Int>("number", default: 0)
    fileprivate static let text = Key<String?>("text")
}

extension Conformance {
    static let absence: [ConformanceCheck] = [
        ConformanceCheck(name: "While the daemon is away values are stale, decisions show nothing, and writes wait for it") {
            subject in
            try await subject.defaults.set(1, for: .number).onDisk()
            let values = subject.defaults.watch(.number).makeAsyncIterator()
            try subject.expect(await values.next(), is: 1, "the first element")
            try await subject.daemon.stop()
            try subject.expect(subject.defaults.reading(.number).value, is: 1, "the last value")
            try subject.expect(subject.defaults.reading(.number).isStale, "the last value is not stale")
            try subject.expect(!(await subject.defaults.once("away")), "once is true without a daemon")
            try subject.expect(await subject.defaults.launch(version: "1.0").kind, is: .unknown, "the launch without a daemon")
            subject.defaults[.text] = "kept"
            try subject.expect(subject.defaults[.text], is: "kept", "the writer's own read")
            try await subject.expect(.unreachable, "waiting for the disk") {
                try await subject.defaults.set(2, for: .number).onDisk()
            }
            try subject.expect(await values.next(), is: 2, "the writer's own change")
            try await subject.daemon.start()
            try await subject.wait(for: "the write") { subject.other.reading(.number).value == 2 }
            try subject.expect(subject.other[.text], is: "kept", "what was written meanwhile")
            try await subject.other.set(3, for: .number).onDisk()
            try subject.expect(await values.next(), is: 3, "the next change, and no other before it")
        },
        ConformanceCheck(name: "A countdown goes on here while the daemon is away, and what is done to it counts") { subject in
            let countdown = subject.defaults.countdown(.seconds(1_000))
            let events = countdown.makeAsyncIterator()
            _ = await events.next()
            try await subject.daemon.stop()
            try await subject.wait(for: "the skip") {
                do {
                    try await countdown.skip()
                    return true
                } catch {
                    return countdown.reason != nil
                }
            }
            var last: Countdown.Event?
            while let event = await events.next() { last = event }
            try subject.expect(last, is: .finished(.skipped), "the end")
            try await subject.daemon.start()
            try await subject.defaults.set(1, for: .number).onDisk()
        },
    ]
}
