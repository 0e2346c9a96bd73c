import { Buffer } from "node:buffer"
import { assert, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { makeCollector } from "../../../adapters/tables/reader/Collector.ts"
import { readCsv } from "../../../adapters/tables/reader/Csv.ts"
import { fileOf, sheetOf } from "../../../apps/console/page/campaigns/Sheet.ts"

const limits = { rows: 1_000, columns: 100, cells: 100, inflated: 1_000_000 }

/** Rows as the server counts them, as far as their last cell that is not blank. */
const served = async (
  text: string
): Promise<ReadonlyArray<{ readonly row: number; readonly cells: unknown }>> => {
  const collector = makeCollector(limits)
  await readCsv(Buffer.from(text), collector)
  return collector.end().slices.flatMap((slice) => JSON.parse(slice))
}

const cell = fc.constantFrom("", " ", "a", `"b"`, `"c,d"`, `"e\r\nf"`, `"g ""h"""`, `i"j`, "ä;ö", "=k()")
const row = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(","))
const table = fc
  .array(row, { maxLength: 6 })
  .chain((rows) => fc.constantFrom("\n", "\r\n").map((end) => ["phone_number,name", ...rows].join(end)))

it.effect.prop(
  "rows of a list are counted in the browser as on the server",
  [table],
  ([text]) =>
    Effect.promise(async () => {
      const sheet = await sheetOf(new File([text], "list.csv"))
      for (const { cells, row } of await served(text)) {
        const shown = sheet!.rows[row - 2]!.cells
        assert.deepStrictEqual(shown.slice(0, (cells as Array<string>).length), cells)
      }
      const again = await sheetOf(fileOf(sheet!))
      assert.deepStrictEqual(
        again?.rows.map(({ cells }) => cells),
        sheet!.rows.map(({ cells }) => cells)
      )
    }),
  { fastCheck: { numRuns: 30 } }
)
