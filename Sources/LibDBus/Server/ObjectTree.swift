import DBusTypes

/// One interface of one object.
struct BoundInterface {
    let table: InterfaceTable
    let handler: any InterfaceHandler
}

/// An object as a caller finds it.
struct ObjectView {
    /// Its interfaces apart from the standard ones; nil for a plain node on the way to objects.
    var interfaces: [BoundInterface]?
    /// Who knows of more nodes below it.
    let subtree: (any SubtreeHandler)?

    /// The standard interfaces that it has: a plain node can have no properties.
    var standard: [InterfaceTable] {
        let all = [StandardInterfaces.introspectable, StandardInterfaces.peer]
        return interfaces == nil ? all : all + [StandardInterfaces.properties]
    }

    /// The names of all its interfaces, for error messages.
    var interfaceNames: String {
        ((interfaces ?? []).map(\.table.name.text) + standard.map(\.name.text)).joined(separator: ", ")
    }
}

/// What is exported where.
struct ObjectTree {
    /// What a path leads to.
    enum Node {
        /// An object that was exported.
        case object([BoundInterface])
        /// Something below an exported subtree: its handler knows.
        case dynamic(any SubtreeHandler)
        /// Nothing itself, but on the way to something.
        case intermediate
        /// Nothing.
        case none
    }

    private var objects: [String: [BoundInterface]] = [:]
    private var subtrees: [(root: ObjectPath, handler: any SubtreeHandler)] = []

    mutating func export(_ path: ObjectPath, _ interfaces: [BoundInterface]) { objects[path.text] = interfaces }

    mutating func exportSubtree(_ root: ObjectPath, _ handler: any SubtreeHandler) {
        subtrees.removeAll { $0.root == root }
        subtrees.append((root, handler))
    }

    mutating func unexport(_ path: ObjectPath) {
        objects[path.text] = nil
        subtrees.removeAll { $0.root == path }
    }

    func node(at path: ObjectPath) -> Node {
        if let interfaces = objects[path.text] { return .object(interfaces) }
        var nearest: (root: ObjectPath, handler: any SubtreeHandler)?
        for subtree in subtrees where path.isBelow(subtree.root) {
            if let root = nearest?.root, !subtree.root.isBelow(root) { continue }
            nearest = subtree
        }
        if let nearest { return .dynamic(nearest.handler) }
        if path == .root || subtrees.contains(where: { $0.root == path }) || !children(of: path).isEmpty { return .intermediate }
        return .none
    }

    /// The handler whose subtree begins right at `path`.
    func subtree(at path: ObjectPath) -> (any SubtreeHandler)? { subtrees.first { $0.root == path }?.handler }

    /// The next element of every exported path below `path`.
    func children(of path: ObjectPath) -> Set<String> {
        var names: Set<String> = []
        let depth = path.elements.count
        for text in objects.keys {
            let other = ObjectPath(unchecked: text)
            if other.isBelow(path) { names.insert(String(other.elements[depth])) }
        }
        for subtree in subtrees where subtree.root.isBelow(path) { names.insert(String(subtree.root.elements[depth])) }
        return names
    }
}
