import { Clock, Effect, Equal, Schema } from "effect"
import * as Options from "@effect/cli/Options"
import { type Compared, copy } from "../../../adapters/sql/copy/Copy.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { count } from "../progress/Bar.ts"
import { CommandFailed, Unhealthy } from "../terminal/Failure.ts"
import { note, result } from "../terminal/Output.ts"
import { type Column, table } from "../terminal/Table.ts"
import { layOut, nameOf, open, type Place, placeOf, present, tables } from "./Ends.ts"
import { steps } from "./Steps.ts"

const Batch = Schema.Int.pipe(Schema.between(1, 50_000))

const columns: ReadonlyArray<Column<Compared>> = [
  { title: "TABLE", value: (compared) => compared.table },
  { title: "ROWS", value: ({ from }) => from.rows },
  { title: "SHA-256", value: ({ from }) => from.checksum.slice(0, 16) },
  {
    title: "COPY",
    value: ({ from, identical, to }) =>
      identical ? "identical" : from.rows === to.rows ? "differs" : `differs: ${to.rows} rows`
  }
]

const totalOf = (compared: ReadonlyArray<Compared>) => compared.reduce((sum, { from }) => sum + from.rows, 0)

const verdictOf = (identical: boolean, from: Place, to: Place, rows: number) =>
  identical
    ? `${count(rows)} rows copied from ${nameOf(from)} to ${nameOf(to)}, every table identical.`
    : "The copy is not the same. Something else wrote to one of the stores: begin again with an empty target."

const url = (name: string, description: string) =>
  Flags.text(name, "URL", description).pipe(Options.mapEffect(placeOf(`--${name}`)))

export const migrateStore = command(
  "migrate-store",
  {
    about:
      "Copies everything from one store to an empty one, from SQLite to PostgreSQL or back.\nBoth are compared row by row then: it ends with 1 if anything differs. Stop all servers before: while it works it keeps both stores for itself, and refuses to begin where another process has one of them open. A copy that is broken off goes on with --resume.",
    examples: [
      "outdial migrate-store --from sqlite:outdial.db --to postgres://outdial@127.0.0.1/outdial",
      "outdial migrate-store --from sqlite:outdial.db --to postgres://outdial@127.0.0.1/outdial --resume"
    ]
  },
  {
    from: url("from", "The store that there is: sqlite:<path> or postgres://…; no server may use it."),
    to: url("to", "An empty store: a file that is not there yet, or a new database."),
    batch: Flags.whole("batch", "Rows that are read and written at a time, 1000 when not given.", Batch).pipe(
      Options.withDefault(1_000)
    ),
    resume: Flags.flag(
      "resume",
      "Goes on with a copy that was broken off, as long as no server has used either store."
    ),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ batch, from, json, resume, to }) {
    if (
      Equal.equals(
        from._tag === "Sqlite" ? from.filename : from.url,
        to._tag === "Sqlite" ? to.filename : to.url
      )
    ) {
      return yield* new CommandFailed({ message: "--from and --to name the same store" })
    }
    const begun = yield* Clock.currentTimeMillis
    yield* present(from)
    yield* layOut(from)
    yield* layOut(to)
    const source = yield* open(from, false)
    const target = yield* open(to, true)
    const { progress, took } = yield* steps
    const compared = yield* copy(source, target, { tables: yield* tables, batch, resume, progress })
    const identical = compared.every((each) => each.identical)
    const rows = totalOf(compared)
    const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1_000
    yield* note(`done in ${yield* took}`)
    const document = { from: nameOf(from), to: nameOf(to), identical, rows, seconds, tables: compared }
    yield* result(
      json,
      document,
      (width) => `${table(columns, compared, width)}\n\n${verdictOf(identical, from, to, rows)}`
    )
    if (!identical) return yield* new Unhealthy()
  }, Effect.scoped)
)
