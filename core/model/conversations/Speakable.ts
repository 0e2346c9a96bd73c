/**
 * Makes text of a model speakable as it comes: markdown's marks go, a link is its text, pictures and emoji are left
 * out. `held` is what could still become one of these and waits for more.
 */
export interface Speakable {
  readonly held: string
  /** The last character of the text before it, as it was written. */
  readonly before: string
}

export const silent: Speakable = { held: "", before: "\n" }

/** Characters that are held back at most: what has not become a mark by then is none. */
const mostHeld = 2_048

const links = /!?\[([^\]\n]*)\]\([^)\s]*\)/g
const addresses = /\bhttps?:\/\/(?:www\.)?([^\s/?#)\]]+)[^\s)\]]*/g
const fences = /```[a-z]*\n?|`/g
const strong = /(\*\*|__|~~)(?=\S)([^\n]*?\S)\1/g
const emphasis = /(?<![\p{L}\p{N}*_])([*_])(?=\S)([^\n*_]*?\S)\1(?![\p{L}\p{N}*_])/gu
const lineMarks = /(^|\n)[ \t]*(?:#{1,6}|[-*+•]|>)[ \t]+/g
const rules = /(^|\n)[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*(?=\n|$)/g
const pictures =
  /\p{Extended_Pictographic}|\u{FE0F}|\u{200D}|\u{20E3}|[\u{1F3FB}-\u{1F3FF}]|[\u{1F1E6}-\u{1F1FF}]/gu
const loose = /[*~`]+/g

/** Stands for what was said before, so that no mark is taken for one at the beginning of a line, or of a word. */
const margin = "\u0001"
const wordMargin = `${margin}a`

const marginOf = (before: string): string =>
  before === "\n" ? "" : /[\p{L}\p{N}_]/u.test(before) ? wordMargin : margin

const plain = (before: string, text: string): string =>
  `${marginOf(before)}${text}`
    .replace(links, "$1")
    .replace(addresses, "$1")
    .replace(fences, "")
    .replace(strong, "$2")
    .replace(strong, "$2")
    .replace(emphasis, "$2")
    .replace(rules, "$1")
    .replace(lineMarks, "$1")
    .replace(pictures, "")
    .replace(loose, "")
    .replace(marginOf(before), "")

/** Text in which nothing is, or may become, a mark. */
const ordinary = /^[\p{L}\p{N} ,.;!?'’"]*$/u
/** Ends with such a word, or with a space. */
const plainWord = /(?:^|\s)[\p{L}\p{N},.;!?'’"]*$/u
/** Ends with what may become `https://`. */
const address = /(?:^|[^\p{L}\p{N}])h(?:t(?:t(?:ps?)?)?)?$/iu

/** Where the last thing begins that may be unfinished: a word, a link, a pair of marks, a line's own mark. */
const unfinishedFrom = (text: string): number => {
  const starts = [
    // The last word, unless it is plain: an address, an emoji or half of a pair of surrogates may go on.
    plainWord.test(text) && !address.test(text) ? -1 : text.search(/(?:!?\[[^\]\n]*\]\([^)\s]*\)|\S)*$/),
    // A link whose end has not come.
    text.search(/!?\[[^\]\n]*(?:\](?:\([^)\s]*)?)?$/),
    // Marks at the beginning of a line.
    text.search(/(?:^|\n)[ \t]*(?:#{1,6}|[-*+•>]|-{2,}|\*{2,}|_{2,})?[ \t]*$/),
    // An opened pair of marks.
    text.search(/(?:\*\*|__|~~)(?=\S)(?:(?!\*\*|__|~~)[^\n])*$/),
    text.search(/(?<![\p{L}\p{N}*_])[*_](?=\S)[^\n*_]*$/u)
  ]
  const found = starts.filter((start) => start >= 0)
  return found.length === 0 ? text.length : Math.min(...found)
}

/** What can be said now of a text that goes on. */
export const speak = (
  before: Speakable,
  delta: string
): { readonly state: Speakable; readonly text: string } => {
  const text = before.held + delta
  if (ordinary.test(text) && !address.test(text) && (before.before !== "\n" || text.trim() !== "")) {
    return { state: { held: "", before: text.at(-1) ?? before.before }, text }
  }
  const from = text.length > mostHeld ? text.length : unfinishedFrom(text)
  const ready = text.slice(0, from)
  return {
    state: { held: text.slice(from), before: ready.at(-1) ?? before.before },
    text: plain(before.before, ready)
  }
}

/** What is left to say of a text that is over. */
export const rest = ({ before, held }: Speakable): string => plain(before, held)
