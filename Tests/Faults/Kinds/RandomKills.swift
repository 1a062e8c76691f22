import Support

/// kill -9 of the daemon at random moments while four clients write (P7).
enum RandomKills {
    static func run(_ trial: Trial) throws {
        let bus = try PrivateBus()
        let subject = try Subject(on: bus, store: bus.folder + "/store")
        let writers = try WriterGroup(on: bus, random: &trial.random)
        let reader = try StoreClient(bus)
        let kills = trial.count(short: 60, long: 1_000)
        try subject.startReady()
        while trial.tried < kills && trial.isWorthwhile {
            writers.write(for: .microseconds(Int.random(in: 200...25_000, using: &trial.random)))
            try subject.kill9()
            trial.strike()
            try writers.drain()
            let expectation = writers.expectation()
            try subject.startReady()
            writers.settle(try expectation.check(reader, trial, "after kill \(trial.tried)"))
            // A backup takes its time: now and then the store rests long enough for one to be begun, and is killed in it.
            if trial.tried % 50 == 0 { writers.write(for: .milliseconds(1_100)) }
        }
        writers.checkRefusals(trial)
        try subject.stop()
        trial.check(StoreFiles.litter(in: subject.store).isEmpty, "litter: \(StoreFiles.litter(in: subject.store))")
        trial.note("\(writers.answered) writes were acknowledged")
    }
}
