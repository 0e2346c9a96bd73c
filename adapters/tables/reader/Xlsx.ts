import { type CellObject, read, SSF, type WorkBook } from "xlsx"
import type { Buffer } from "node:buffer"
import type { Cell } from "../../../core/model/tables/Row.ts"
import type { Limits } from "../Protocol.ts"
import type { Collector } from "./Collector.ts"
import { damaged, Refusal, tooLarge } from "./Refusal.ts"
import { firstSheet, packed } from "./Workbook.ts"
import { makeInflate, partsOf } from "./Zip.ts"

const dateFormats = new Map<unknown, boolean>()

const isDate = (format: unknown): boolean => {
  let is = dateFormats.get(format)
  if (is === undefined) {
    is = Boolean(SSF.is_date(format))
    dateFormats.set(format, is)
  }
  return is
}

/**
 * Text as text, a formula as its own text, a plain number as a number, and a date as the sheet displays it.
 * The result of a formula is never taken: it may be older than what it was made of.
 */
const cellOf = ({ F, f, t, v, w, z }: CellObject): Cell => {
  if (f !== undefined || F !== undefined) return `=${f ?? F}`.toWellFormed()
  if (t === "b") return v === true ? "TRUE" : "FALSE"
  if (t !== "n") return String((t === "e" ? w : v) ?? "").toWellFormed()
  if (w !== undefined && w !== "" && isDate(z)) return w.toWellFormed()
  return typeof v === "number" && Number.isFinite(v) ? v : (w ?? "")
}

type SheetRow = ReadonlyArray<CellObject | undefined>

/** The cells of a row as far as the last that there is; a gap is an empty cell. */
const cellsOf = (row: SheetRow): Array<Cell> =>
  Array.from(row, (cell) => (cell === undefined ? "" : cellOf(cell)))

const parsed = (archive: Buffer): ReadonlyArray<SheetRow> => {
  try {
    const workbook: WorkBook & { readonly Strings?: Array<unknown> } = read(archive, {
      type: "buffer",
      cellHTML: false,
      cellNF: true,
      dense: true
    })
    const rows: ReadonlyArray<SheetRow> | undefined = workbook.Sheets["Sheet1"]?.["!data"]
    // The parser keeps the strings of the last workbook that it read.
    workbook.Strings?.splice(0)
    if (rows !== undefined) return rows
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge()
  }
  throw damaged()
}

/** Reads the first visible sheet of an .xlsx workbook, of which no more than the limits is inflated. */
export const readXlsx = async (file: Buffer, limits: Limits, collector: Collector): Promise<void> => {
  const rows = parsed(packed(firstSheet(await partsOf(file), makeInflate(limits.inflated))))
  // A row far below or a cell far to the right leaves a gap that is not walked through.
  for (const index of Object.keys(rows)) {
    const number = Number(index) + 1
    const row = rows[Number(index)]!
    if (row.length > limits.columns) collector.check(number, row.length)
    const cells = cellsOf(row)
    if (cells.some((cell) => typeof cell === "string" && cell.includes("\0"))) {
      throw new Refusal(`row ${number} holds a NUL character`)
    }
    collector.add(number, cells)
  }
}
