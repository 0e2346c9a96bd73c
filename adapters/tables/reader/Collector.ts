import type { Cell, Row } from "../../../core/model/tables/Row.ts"
import { inThousands } from "../../../core/model/Thousands.ts"
import type { Limits } from "../Protocol.ts"
import { Refusal, tooLarge } from "./Refusal.ts"

const rowsPerSlice = 1_000
/** Characters and cells of a slice, together: which bounds the work of the process that takes it. */
const sizePerSlice = 200_000

const isBlank = (cell: Cell): boolean => typeof cell === "string" && cell.trim() === ""

const sizeOf = (cells: ReadonlyArray<Cell>): number => {
  let size = 0
  for (const cell of cells) size += typeof cell === "string" ? cell.length + 1 : 8
  return size
}

export interface Collected {
  readonly header: ReadonlyArray<string>
  /** Each is the JSON of an array of `Row`: smaller than the rows, and quicker to send. */
  readonly slices: Array<string>
}

/** Takes rows in order, leaves the blank ones out, and refuses a table that is larger than the limits. */
export const makeCollector = (limits: Limits) => {
  const slices: Array<string> = []
  let header: ReadonlyArray<string> | undefined
  let rows: Array<Row> = []
  let size = 0
  let total = 0

  const closeSlice = () => {
    if (rows.length > 0) slices.push(JSON.stringify(rows))
    total += size
    if (total > limits.inflated) throw tooLarge()
    rows = []
    size = 0
  }

  /** Refuses a row for its number or its width before anything is made of it. `width` counts its cells. */
  const check = (row: number, width: number): void => {
    if (header === undefined && row !== 1) throw new Refusal("the first row must be a header")
    if (row - 1 > limits.rows) {
      throw new Refusal(`the file has too many rows: at most ${inThousands(limits.rows)} rows`)
    }
    if (row === 1 && width > limits.columns) {
      throw new Refusal(`the file has too many columns: at most ${inThousands(limits.columns)} columns`)
    }
    if (width > limits.cells) {
      throw new Refusal(`row ${row} has too many cells: at most ${inThousands(limits.cells)} cells`)
    }
  }

  return {
    check,
    /** `row` is 1 for the first row of the sheet. */
    add: (row: number, cells: ReadonlyArray<Cell>): void => {
      const last = cells.findLastIndex((cell) => !isBlank(cell))
      if (last === -1) return
      check(row, row === 1 && cells.length <= limits.cells ? last + 1 : cells.length)
      if (header === undefined) {
        header = cells.map(String)
        return
      }
      rows.push({ row, cells })
      size += sizeOf(cells)
      if (rows.length === rowsPerSlice || size >= sizePerSlice) closeSlice()
    },
    end: (): Collected => {
      closeSlice()
      if (header === undefined) throw new Refusal("the file is empty")
      return { header, slices }
    }
  }
}

export type Collector = ReturnType<typeof makeCollector>
