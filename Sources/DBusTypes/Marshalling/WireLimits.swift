/// Limits of the wire format (D-Bus specification, "Marshalling" and "Message Protocol").
public enum WireLimits {
    /// The longest array in bytes, its length word and padding not counted.
    public static let arrayBytes = 64 << 20
    /// The largest message in bytes, header included.
    public static let messageBytes = 128 << 20
    /// How deep containers may nest, variants included; a dictionary counts twice, for the array and for its entries.
    public static let nesting = 64
}
