/// Finds what a mistyped word was meant to be.
enum Suggestion {
    /// The closest of `choices` to `word`; nil where none is close enough to be worth a guess.
    ///
    /// Close is: one slip for each three characters and at least one, or a beginning of at least three characters.
    static func closest(to word: String, among choices: [String]) -> String? {
        let allowed = max(1, word.count / 3)
        var best: (choice: String, distance: Int)?
        for choice in choices {
            let distance = word.count >= 3 && choice.hasPrefix(word) ? 1 : distance(word, choice)
            if distance <= allowed, distance < best?.distance ?? .max { best = (choice, distance) }
        }
        return best?.choice
    }

    /// The number of slips (a character too many, too few, wrong, or two swapped) between two words.
    static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var cost = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
