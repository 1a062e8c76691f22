import Glibc
import Support

/// Power cuts while four clients write (P7): an image of the disk as it is at a moment, brought up as after a reboot.
///
/// The store is on an ext4 in a file. The daemon stands still while the file is copied, so that the copy is of one moment,
/// with what was flushed and whatever the kernel has written by itself; not with what it still holds in memory.
enum PowerCuts {
    static func run(_ trial: Trial) throws {
        let bus = try PrivateBus()
        let disk = try DiskImage(bus.folder, "disk", mebibytes: 32)
        try disk.format()
        try disk.mount()
        defer { disk.unmount() }
        let subject = try Subject(on: bus, store: disk.path + "/store")
        try subject.startReady()
        let writers = try WriterGroup(on: bus, random: &trial.random)
        let otherBus = try PrivateBus()
        let reader = try StoreClient(otherBus)
        for cut in 0..<trial.count(short: 8, long: 300) where trial.isWorthwhile {
            writers.write(for: .microseconds(Int.random(in: 500...60_000, using: &trial.random)))
            subject.process?.send(SIGSTOP)
            writers.takeIn()
            let expectation = writers.expectation()
            let copy = try disk.copy("cut")
            subject.process?.send(SIGCONT)
            trial.strike()
            try copy.mount()
            do {
                defer { copy.unmount() }
                let other = try Subject(on: otherBus, store: copy.path + "/store")
                try other.startReady()
                _ = try expectation.check(reader, trial, "after cut \(cut)")
                try other.stop()
                let litter = StoreFiles.litter(in: other.store)
                trial.check(litter.isEmpty, "cut \(cut): litter \(litter)")
            }
        }
        try writers.drain()
        writers.checkRefusals(trial)
        try subject.kill9()
        trial.note("\(writers.answered) writes were acknowledged")
    }
}

/// A file with an ext4 in it.
final class DiskImage {
    /// Where it is mounted.
    let path: String
    private let file: String
    private let folder: String

    /// An image called `name` in a folder, with nothing in it yet.
    init(_ folder: String, _ name: String, mebibytes: Int? = nil) throws {
        self.folder = folder
        file = folder + "/" + name + ".image"
        path = folder + "/" + name
        mkdir(path, 0o700)
        if let mebibytes { try Self.run("truncate", "-s", "\(mebibytes)M", file) }
    }

    func format() throws { try Self.run("mkfs.ext4", "-q", "-F", file) }

    func mount() throws { try Self.run("mount", "-o", "loop", file, path) }

    func unmount() { try? Self.run("umount", path) }

    /// Copies it as it is now.
    func copy(_ name: String) throws -> DiskImage {
        let copy = try DiskImage(folder, name)
        unlink(copy.file)
        try Self.run("cp", "--sparse=always", file, copy.file)
        return copy
    }

    private static func run(_ words: String...) throws {
        let result = try Command.run(
            words[0], Array(words.dropFirst()), environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
            until: .after(.seconds(60)))
        guard result.code == 0 else { throw TestFailure("\(words): \(result)") }
    }
}
