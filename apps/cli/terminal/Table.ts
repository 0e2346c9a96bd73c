export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string | number
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u
const mark = /^[\p{Mark}\p{Format}]+$/u

/** How many cells of a terminal a text takes. */
export const widthOf = (text: string): number => {
  let width = 0
  for (const { segment } of segmenter.segment(text))
    width += mark.test(segment) ? 0 : wide.test(segment) ? 2 : 1
  return width
}

/** A text on one line. Characters that steer a terminal or turn the direction of writing are escaped. */
export const printable = (text: string): string =>
  text.replace(
    /[\p{Control}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`
  )

const gap = 2
const fill = (text: string, width: number) => " ".repeat(Math.max(0, width - widthOf(text)))
const cellOf = (value: string | number): string =>
  typeof value === "number" ? String(value) : printable(value)

/** Names and values, one pair a line, the values aligned. */
export const pairs = (entries: ReadonlyArray<readonly [string, string | number]>): string => {
  const width = Math.max(0, ...entries.map(([name]) => widthOf(name)))
  return entries
    .map(([name, value]) => `${name}${fill(name, width + gap)}${cellOf(value)}`.trimEnd())
    .join("\n")
}

/**
 * Rows under titles, in columns, numbers to the right. Where that is wider than `width` each row becomes a
 * block of its own, so that no line is broken and nothing is cut off.
 */
export const table = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  width: number = Infinity
): string => {
  const cells = rows.map((row) => columns.map(({ value }) => value(row)))
  const widths = columns.map(({ title }, i) =>
    Math.max(widthOf(title), ...cells.map((line) => widthOf(cellOf(line[i]!))))
  )
  const total = widths.reduce((sum, each) => sum + each, gap * (columns.length - 1))
  if (total > width) {
    return cells.map((line) => pairs(columns.map(({ title }, i) => [title, line[i]!] as const))).join("\n\n")
  }
  const isNumber = columns.map(
    (_, i) => cells.length > 0 && cells.every((line) => typeof line[i] === "number")
  )
  const lineOf = (texts: ReadonlyArray<string>) =>
    texts
      .map((text, i) => (isNumber[i] ? fill(text, widths[i]!) + text : text + fill(text, widths[i]!)))
      .join(" ".repeat(gap))
      .trimEnd()
  return [columns.map(({ title }) => title), ...cells.map((line) => line.map(cellOf))].map(lineOf).join("\n")
}

/** Breaks a text between words into lines of at most `width` cells; a longer word keeps a line to itself. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else {
      line = line === "" ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

/** A text after a title, wrapped beside it. */
export const beside = (title: string, text: string, width: number): ReadonlyArray<string> => {
  const indent = " ".repeat(widthOf(title))
  const line = printable(text.replace(/\s+/g, " ").trim())
  return wrap(line, Math.max(30, width - indent.length)).map((part, i) => (i === 0 ? title : indent) + part)
}

/** A moment (epoch milliseconds) to the second, in UTC. */
export const moment = (millis: number): string =>
  new Date(millis)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z")
