import Glibc

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Where the program begins: SwiftPM calls the entry of a program named fuzz so.
///
/// Gives libFuzzer, which watches what code each input reaches, one parser to run: the first word names it, the rest are libFuzzer's own.
@_cdecl("fuzz_main")
func fuzzMain(_ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    let name = count > 1 ? words[1].map { String(cString: $0) } : nil
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        print("usage: fuzz TARGET [LIBFUZZER-OPTION]…; targets: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        return 64
    }
    FuzzTarget.current = target
    if count == 4, let word = words[2], let folder = words[3], strcmp(word, "seeds") == 0 {
        return writeSeeds(of: target, into: String(cString: folder))
    }
    words[1] = words[0]
    var left = count - 1
    var rest: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = words + 1
    return runDriver(&left, &rest, testOneInput)
}

/// Puts the inputs to begin with into a folder: `fuzz TARGET seeds FOLDER`.
private func writeSeeds(of target: FuzzTarget, into folder: String) -> CInt {
    for (number, bytes) in Seeds.inputs(of: target.name).enumerated() {
        guard let file = fopen("\(folder)/seed-\(number)", "w") else { return 73 }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { return 74 }
    }
    return 0
}

/// Runs one input; also what libFuzzer's own entry, which is linked in and not used, would call.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.current.body(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
