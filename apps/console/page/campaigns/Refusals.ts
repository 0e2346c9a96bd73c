import type { CampaignImport } from "outdial/client"
import type { Sheet, SheetRow } from "./Sheet.ts"

/** A row that was refused. */
export interface Refusal {
  readonly label: number
  readonly error: string
  readonly value: string
  /** All of the row, where the file is at hand. */
  readonly cells: SheetRow["cells"] | null
  /** The place of the offending cell in it. */
  readonly at: number
}

export const isRepeat = (error: string): boolean =>
  error.startsWith("repeats the phone number") || error.includes("which the campaign has already")

const phoneNames = ["phone_number", "phone", "mobile", "number"]

const phoneOf = ({ header }: Sheet): number => {
  const names = header.map((name) => name.trim().toLowerCase())
  return names.indexOf(phoneNames.find((name) => names.includes(name)) ?? "")
}

/** The place of the offending cell: the phone number's where it is that, for an empty cell too. */
const placeOf = (sheet: Sheet, cells: ReadonlyArray<string>, value: string): number => {
  const phone = phoneOf(sheet)
  const isIt = (cell: string) =>
    cell === value || (value.endsWith("…") && cell.startsWith(value.slice(0, -1)))
  if (isIt(cells[phone] ?? "")) return phone
  const found = cells.findIndex(isIt)
  return found === -1 ? phone : found
}

export const refusalsOf = (errors: CampaignImport["errors"], sheet: Sheet | null): ReadonlyArray<Refusal> =>
  errors.map(({ error, row, value }) => {
    const found = sheet?.rows[row - 2]
    if (sheet === null || found === undefined) return { label: row, error, value, cells: null, at: 0 }
    return { label: found.label, error, value, cells: found.cells, at: placeOf(sheet, found.cells, value) }
  })

/** The refused rows as a file of the same columns, with the cells that were corrected. */
export const corrected = (
  sheet: Sheet,
  refusals: ReadonlyArray<Refusal>,
  corrections: ReadonlyMap<number, string>
): Sheet => ({
  ...sheet,
  rows: refusals.flatMap(({ at, cells, label }) => {
    if (cells === null) return []
    const mended = Array.from({ length: Math.max(cells.length, at + 1) }, (_, i) => cells[i] ?? "")
    mended[at] = corrections.get(label) ?? mended[at]!
    return [{ label, cells: mended }]
  })
})

/** A number without its country code, as it is dialled within the country: `0151 234567` or `(415) 555-0123`. */
const national = /^[\d\s().\-/]*\d[\d\s().\-/]*$/

/** Numbers without a country code get one, in place of the zeros that they begin with. */
export const prefixed = (refusals: ReadonlyArray<Refusal>, code: string): ReadonlyMap<number, string> =>
  new Map(
    refusals.flatMap(({ at, cells, error, label }) => {
      const cell = cells?.[at] ?? ""
      return error.startsWith("the phone number") && national.test(cell)
        ? [[label, code + cell.replaceAll(/\D/g, "").replace(/^0+/, "")] as const]
        : []
    })
  )

export const rest = (sheet: Sheet | null, { at, cells }: Refusal): string =>
  (cells ?? [])
    .flatMap((cell, i) =>
      i === at || cell === "" ? [] : [`${sheet?.header[i] ?? `column ${i + 1}`}: ${cell}`]
    )
    .join(", ")
