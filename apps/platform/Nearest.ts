const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[other.length]!
}

/** The known word that is most like a misspelt one; undefined when more than half of it, or three letters, differ. */
export const nearest = (word: string, known: ReadonlyArray<string>): string | undefined => {
  const [first] = known
    .map((each) => ({ each, far: distance(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, far }) => far <= Math.min(3, each.length / 2))
    .sort((one, other) => one.far - other.far)
  return first?.each
}
