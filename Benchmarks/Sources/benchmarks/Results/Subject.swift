import Harness

/// One of the programs that are measured in turns.
struct Subject {
    let name: String
    /// What it does not do.
    var omits = ""
    /// Takes so many samples.
    let sample: (Int) throws -> [Double]
}

/// The samples of several subjects, taken in turns so that what else the machine does meets all.
struct Comparison {
    private(set) var samples: [Samples]
    /// The median of each round, by subject.
    private(set) var rounds: [[Double]]
    private let subjects: [Subject]

    /// Takes `count` samples of each subject in each of so many rounds.
    init(_ subjects: [Subject], rounds number: Int, count: Int) throws {
        self.subjects = subjects
        samples = subjects.map { _ in Samples() }
        rounds = subjects.map { _ in [] }
        // The first round warms up caches and is not counted.
        for round in 0...number {
            for (index, subject) in subjects.enumerated() {
                let taken = try subject.sample(count)
                guard round > 0 else { continue }
                var own = Samples()
                for value in taken {
                    own.add(value)
                    samples[index].add(value)
                }
                rounds[index].append(own.median)
            }
        }
    }

    /// The figure of a subject, with its values multiplied by `scale`.
    func figure(_ index: Int, scale: Double = 1) -> Figure {
        Figure(subjects[index].name, samples[index].scaled(scale), omits: subjects[index].omits)
    }

    /// The figures of all but the first.
    func peers(scale: Double = 1) -> [Figure] { subjects.indices.dropFirst().map { figure($0, scale: scale) } }

    /// The middle one of the rounds' ratios of the first to what `other` makes of the round's medians.
    func ratio(to other: ([Double]) -> Double) -> Double {
        var ratios = Samples()
        for round in rounds[0].indices { ratios.add(rounds[0][round] / other(rounds.map { $0[round] })) }
        return ratios.median
    }

    /// The middle one of the rounds' ratios of the first to the subject of that number.
    func ratio(to index: Int) -> Double { ratio { $0[index] } }
}
