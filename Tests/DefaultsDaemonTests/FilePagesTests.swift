import CLinux
import Glibc
import Testing

@Suite("Pages of files")
struct FilePagesTests {
    @Test("Code that was given back is no longer resident, and runs as before when it is used again")
    func release() throws {
        let before = try residentFilePages()
        clinux_release_file_pages()
        // The test itself, its library and what reads the count have come back; the rest of some dozen megabytes hasn't.
        #expect(try residentFilePages() < before)
        #expect((1...100).map { String($0) }.sorted().first == "1")
    }

    /// The pages of files that are resident in this process: the third number of statm (proc(5)).
    private func residentFilePages() throws -> Int {
        let file = try #require(fopen("/proc/self/statm", "re"))
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 256)
        try #require(fgets(&buffer, Int32(buffer.count), file) != nil)
        let numbers = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
            separator: " ")
        return try #require(numbers.count > 2 ? Int(numbers[2]) : nil)
    }
}
