import { Effect, Layer, Stream } from "effect"
import { read } from "../../../adapters/tables/reader/Read.ts"
import { Refusal } from "../../../adapters/tables/reader/Refusal.ts"
import type { Row } from "../../../core/model/tables/Row.ts"
import { TableReader, TableRefused } from "../../../core/ports/TableReader.ts"

const limits = { rows: 500_000, columns: 500, cells: 2_000, inflated: 128 * 1024 * 1024 }

/** Reads tables as the reader's process does, in this one. */
export const layer = Layer.succeed(TableReader, {
  open: Effect.fnUntraced(function* (_, file) {
    const table = yield* Effect.promise(() => read(file, limits))
    if (table instanceof Refusal) return yield* new TableRefused({ message: table.message })
    const { format, header, slices } = table
    return {
      format,
      header,
      rows: Stream.map(Stream.fromIterable(slices), (rows) => JSON.parse(rows) as ReadonlyArray<Row>)
    }
  })
})
