import DefaultsManifest
import DefaultsModel
import EventLoop

/// The configuration files: read at the start, when they change, and when someone asks.
final class Configuration {
    /// Where they are where nothing else is said: the distribution's, the site's, the administrator's.
    static let defaultFolders = ["/usr/share/defaultsd", "/usr/local/share/defaultsd", "/etc/defaultsd"]
    /// How long a change is left to become whole, in nanoseconds.
    ///
    /// An editor renames the old file away before it writes the new one; a package brings many.
    private static let settlingTime: Int64 = 50_000_000

    /// What they say.
    private(set) var layers = FileLayers()
    /// Called when `layers` has changed; what it does is done when it calls back.
    var onChange: ((_ completion: @escaping () -> Void) -> Void)?

    /// Called when the files were read again.
    var onRead: (() -> Void)?

    private let reader: ConfigurationReader
    private var watch: FolderWatch?
    private var timer: EventLoop.TimerSource?
    private var reported: Set<Diagnostic> = []

    /// Reads the files for the first time.
    init(folders: [String]?, on loop: EventLoop) throws(EventLoopError) {
        reader = ConfigurationReader(folders: folders ?? Self.defaultFolders)
        timer = try loop.addTimer(on: .monotonic) { [unowned self] in reload() }
        watch = FolderWatch(reader.folders, on: loop) { [unowned self] in settle() }
        read()
    }

    /// The folder in which `Machine` keeps what it is told: the last one, which beats all others.
    var adminFolder: String { reader.folders.last ?? "/etc/defaultsd" }

    /// The files that were found, in the order in which they apply.
    var files: [String] { reader.files }

    /// What is wrong with them, one sentence each.
    var errors: [String] { reader.errors.map(\.description) }

    /// Reads everything again; `completion` is called when what has changed is in effect for every user.
    func reload(completion: @escaping () -> Void = {}) {
        timer?.disarm()
        let old = layers
        read()
        guard layers != old, let onChange else { return completion() }
        onChange(completion)
    }

    private func read() {
        watch?.renew()
        layers = reader.read()
        watch?.unreadable = reader.unreadable
        // Each fault is said once, not at every change of another file.
        for diagnostic in reader.errors where !reported.contains(diagnostic) {
            let place = diagnostic.position == nil ? "" : "; what the file said before stays in effect"
            Log.write(.error, "\(diagnostic)\(place).", .configurationBroken, [.file: diagnostic.file])
        }
        reported = Set(reader.errors)
        onRead?()
    }

    private func settle() {
        guard let timer, !timer.isArmed else { return }
        timer.arm(at: SystemTime.monotonic + Self.settlingTime)
    }
}
