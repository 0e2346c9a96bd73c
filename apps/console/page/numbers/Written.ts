/** A number without the spaces and signs that people write between its digits. */
export const bare = (text: string): string => text.replaceAll(/[\s().\-/]/g, "")

/** The numbers of a text, which are on lines of their own or have commas between them. */
export const numbersOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/[\n,;]/)
    .map(bare)
    .filter((number) => number !== "")
