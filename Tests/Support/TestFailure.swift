/// Why something that a test stands on could not be done; the test that it is thrown from fails with it.
public struct TestFailure: Error, CustomStringConvertible {
    /// What was to be done, and what happened instead.
    public let description: String

    /// Makes a failure.
    public init(_ description: String) { self.description = description }
}
