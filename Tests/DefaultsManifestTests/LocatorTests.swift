import Testing

@testable import DefaultsManifest

@Suite("Where an entry stands in a file")
struct LocatorTests {
    private static let text = """
        {
          "a": {"x": [1, {"y": "}]\\"{["}, 22]},
          "n\\u00e4m\\"e": true, "ü": {"é": 1, "z": []}
        }
        """

    @Test(
        "The name of an entry in an object, an element of an array; what is missing is looked for in what there is",
        arguments: [
            (JSONPath.root, 1, 1), (JSONPath.root.member("a"), 2, 3), (JSONPath.root.member("a").member("x"), 2, 9),
            (JSONPath.root.member("a").member("x").element(0), 2, 15),
            (JSONPath.root.member("a").member("x").element(1).member("y"), 2, 19),
            (JSONPath.root.member("a").member("x").element(2), 2, 35),
            (JSONPath.root.member("a").member("x").element(3), 2, 9), (JSONPath.root.member("näm\"e"), 3, 3),
            (JSONPath.root.member("ü"), 3, 24), (JSONPath.root.member("ü").member("z"), 3, 38),
            (JSONPath.root.member("ü").member("none"), 3, 24), (JSONPath.root.member("none"), 1, 1),
            (JSONPath.root.member("ü").member("z").element(0), 3, 38), (JSONPath.root.element(0), 1, 1),
        ])
    func positions(path: JSONPath, line: Int, column: Int) {
        let position = JSONLocator.position(of: path, in: Array(Self.text.utf8))
        #expect(position.line == line && position.column == column, "\(path): \(position)")
    }

    @Test("A path is written as people write it")
    func texts() {
        let path = JSONPath.root.member("a.b").member("").member("odd name").element(3).member("c")
        #expect(path.description == "a.b[\"\"][\"odd name\"][3].c" && path.depth == 5)
        #expect(JSONPath.root.description.isEmpty)
    }
}
