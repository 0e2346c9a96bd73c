import { Effect, Either, Stream } from "effect"
import type { RowError } from "../../../core/model/campaigns/CampaignImport.ts"
import { accept, columnsOf } from "../../../core/model/campaigns/ImportedRows.ts"
import type { Person } from "../../../core/model/simulation/Plan.ts"
import { TableReader } from "../../../core/ports/TableReader.ts"
import { size } from "../progress/Bar.ts"
import { CommandFailed } from "../terminal/Failure.ts"
import * as Files from "../terminal/Files.ts"

/** Source: contract, "Limits", import file size. */
const maxBytes = 5 * 1_048_576

/** The people in the files, and the rows that hold no usable phone number. */
export interface People {
  readonly people: Array<Person>
  readonly known: Set<string>
  readonly errors: Array<RowError & { readonly path: string }>
}

const readInto = Effect.fnUntraced(function* (read: People, path: string) {
  const file = yield* Files.bytesOf(path)
  if (file.length > maxBytes) {
    return yield* new CommandFailed({
      message: `${path} has ${size(file.length)}: a file of at most 5 MB can be imported, so split it`
    })
  }
  const unusable = ({ message }: { readonly message: string }) =>
    new CommandFailed({ message: `${path} cannot be used: ${message}` })
  const table = yield* Effect.mapError((yield* TableReader).open("the command line", file), unusable)
  const columns = yield* Either.mapLeft(columnsOf(table.header), unusable)
  yield* Stream.runForEach(table.rows, (rows) =>
    Effect.sync(() => {
      for (const row of rows) {
        const accepted = accept(columns, row)
        if (Either.isLeft(accepted)) read.errors.push({ ...accepted.left, path })
        else if (read.known.has(accepted.right.phone_number)) {
          read.errors.push({ row: row.row, error: "the phone number is there already", value: "", path })
        } else {
          const { phone_number, timezone } = accepted.right
          read.known.add(phone_number)
          read.people.push({ phone_number, timezone })
        }
      }
    })
  )
}, Effect.scoped)

/** Reads recipients as an import does: a row without a usable phone number, or with a repeated one, is left out and reported. */
export const peopleOf = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  const read: People = { people: [], known: new Set(), errors: [] }
  for (const path of paths) yield* readInto(read, path)
  if (read.people.length > 0) return read
  return yield* new CommandFailed({ message: `${paths.join(", ")}: it holds no recipient` })
})
