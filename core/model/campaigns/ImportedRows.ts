import { Either } from "effect"
import { zoneExists } from "../calls/CallingWindow.ts"
import { isStorable } from "../Codecs.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { byteLength, RawJson } from "../json/RawJson.ts"
import { possible } from "../numbers/PossibleNumber.ts"
import type { Cell, Row } from "../tables/Row.ts"
import type { RowError } from "./CampaignImport.ts"

/** Where a table keeps what. */
export interface Columns {
  readonly phone: number
  /** Where there is a column of that name. */
  readonly timezone: number | null
  /** The columns that become variables. */
  readonly variables: ReadonlyArray<{ readonly at: number; readonly name: string; readonly key: string }>
  /** Columns without a name, whose cells must be empty. */
  readonly unnamed: ReadonlyArray<number>
  readonly width: number
}

/** The names of a phone column; the first of these that a table has is its. Source: contract, "import". */
const phoneNames = ["phone_number", "phone", "mobile", "number"]

/** Bytes of a recipient's variables as JSON, as for `custom_variables`. */
const maxVariables = 30_000

const reEnter =
  "the phone number was turned into a number by a spreadsheet: enter it again as text, with the leading + and the country code"

const invalid = (reason: string) => Either.left(new InvalidInput({ reason, field: "file" }))

/** As a spreadsheet names its columns: A to Z, then AA. */
const letter = (column: number): string =>
  (column >= 26 ? letter(Math.floor(column / 26) - 1) : "") + String.fromCharCode(65 + (column % 26))

const e164 = /^\+[1-9][0-9]{1,14}$/
const exponent = /^[+-]?[0-9]+(?:[.,][0-9]+)?e[+-]?[0-9]+$/i
const punctuation = /[\s.()\-\u2010-\u2015]+/g

/** The number in a phone cell, in E.164 form; left, what is wrong with it. Source: design, "Import". */
export const phoneOf = (cell: Cell): Either.Either<string, string> => {
  if (typeof cell === "number") return Either.left(reEnter)
  if (e164.test(cell)) {
    return possible(cell)
      ? Either.right(cell)
      : Either.left("the phone number has a length that no number of its country has")
  }
  const text = cell.trim()
  if (text === "") return Either.left("the phone number is missing")
  if (exponent.test(text)) return Either.left(reEnter)
  const bare = text.replace(punctuation, "")
  if (e164.test(bare)) return phoneOf(bare)
  return Either.left("the phone number must have a leading +, the country code and digits only")
}

const twins = (names: ReadonlyArray<string>): readonly [number, number] | null => {
  const seen = new Map<string, number>()
  for (const [at, name] of names.entries()) {
    const first = seen.get(name)
    if (first !== undefined) return [first, at]
    if (name.trim() !== "") seen.set(name, at)
  }
  return null
}

/** Reads a table's header; left, what is wrong with it. Names become variables' names as they stand. */
export const columnsOf = (header: ReadonlyArray<string>): Either.Either<Columns, InvalidInput> => {
  const plain = header.map((name) => name.trim().toLowerCase())
  if (plain.every((name) => name === "")) return invalid("the file has no header: its first row is empty")
  const named = (wanted: string) => plain.flatMap((name, at) => (name === wanted ? [at] : []))
  const phoneName = phoneNames.find((name) => plain.includes(name))
  if (phoneName === undefined) {
    return invalid(
      header.some((name) => Either.isRight(phoneOf(name)))
        ? "the file has no header: its first row holds a phone number"
        : `the file has no phone column: one column must be named ${phoneNames.join(", ")}`
    )
  }
  for (const name of [phoneName, "timezone"]) {
    const [first, second] = named(name)
    if (second !== undefined) {
      return invalid(`columns ${letter(first!)} and ${letter(second)} are both named ${name}`)
    }
  }
  const same = twins(header)
  if (same !== null) {
    return invalid(`columns ${letter(same[0])} and ${letter(same[1])} have the same name`)
  }
  const phone = plain.indexOf(phoneName)
  const others = header.flatMap((name, at) => (at === phone ? [] : [{ at, name }]))
  if (others.some(({ name }) => !isStorable(name))) {
    return invalid("a column's name contains NUL characters or lone surrogates")
  }
  const timezone = plain.indexOf("timezone")
  return Either.right({
    phone,
    timezone: timezone === -1 ? null : timezone,
    variables: others
      .filter(({ name }) => name.trim() !== "")
      .map(({ at, name }) => ({ at, name, key: `${JSON.stringify(name)}:` })),
    unnamed: others.filter(({ name }) => name.trim() === "").map(({ at }) => at),
    width: header.length
  })
}

/** What a row says of a recipient. */
export interface Accepted {
  readonly row: number
  readonly phone_number: string
  readonly timezone: string | null
  readonly variables: RawJson
}

const textOf = (cell: Cell | undefined): string => (cell === undefined ? "" : String(cell))

/** How much of an offending cell is shown. */
const shown = 256

export const rowError = (row: number, error: string, cell: Cell | undefined): RowError => {
  const value = textOf(cell)
  return { row, error, value: value.length > shown ? `${value.slice(0, shown).toWellFormed()}…` : value }
}

const refuse = ({ cells, row }: Row, error: string, at: number) =>
  Either.left(rowError(row, error, cells[at]))

/** The columns that a row has and a recipient cannot have. */
const misplaced = (columns: Columns, row: Row): Either.Either<never, RowError> | null => {
  for (let at = columns.width; at < row.cells.length; at++) {
    if (row.cells[at] !== "") return refuse(row, `column ${letter(at)} is beyond the header`, at)
  }
  for (const at of columns.unnamed) {
    if (textOf(row.cells[at]).trim() !== "") return refuse(row, `column ${letter(at)} has no name`, at)
  }
  return null
}

/** The column with the longest cell of a row. */
const longest = (columns: Columns, { cells }: Row): number =>
  columns.variables.reduce((a, b) => (textOf(cells[b.at]).length > textOf(cells[a.at]).length ? b : a)).at

/** Reads a row; left, the first thing that is wrong with it. A row that is too short has empty cells. */
export const accept = (columns: Columns, row: Row): Either.Either<Accepted, RowError> => {
  const { cells } = row
  const phone = phoneOf(cells[columns.phone] ?? "")
  if (Either.isLeft(phone)) return refuse(row, phone.left, columns.phone)
  const odd = misplaced(columns, row)
  if (odd !== null) return odd
  let timezone: string | null = null
  if (columns.timezone !== null) {
    const name = textOf(cells[columns.timezone]).trim()
    if (name !== "" && !zoneExists(name)) {
      return refuse(row, "the timezone must be a region-style name such as Europe/Paris", columns.timezone)
    }
    timezone = name === "" ? null : name
  }
  let variables = ""
  for (const { at, key } of columns.variables) {
    const text = textOf(cells[at])
    if (!isStorable(text)) return refuse(row, "the cell contains NUL characters or lone surrogates", at)
    variables += `${variables === "" ? "{" : ","}${key}${JSON.stringify(text)}`
  }
  if (variables.length >= maxVariables / 3 && byteLength(variables) >= maxVariables) {
    return refuse(row, `the variables must be at most ${maxVariables} bytes of JSON`, longest(columns, row))
  }
  return Either.right({
    row: row.row,
    phone_number: phone.right,
    timezone,
    variables: RawJson(variables === "" ? "{}" : `${variables}}`)
  })
}
