import { Effect, Either, Exit, Option, Schema, Stream } from "effect"
import * as Options from "@effect/cli/Options"
import { ImportRecord, type RowError } from "../../../core/model/campaigns/CampaignImport.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { type Bar, count, size } from "../progress/Bar.ts"
import * as Live from "../progress/Live.ts"
import * as Connection from "../rest/Connection.ts"
import { Rest } from "../rest/Rest.ts"
import { foreign } from "../rest/RestErrors.ts"
import { CommandFailed, Unhealthy } from "../terminal/Failure.ts"
import * as Files from "../terminal/Files.ts"
import { note, verbatim } from "../terminal/Output.ts"
import { type Column, pairs, table } from "../terminal/Table.ts"
import * as Csv from "./Csv.ts"
import * as Form from "./Form.ts"
import * as ImportAnswer from "./ImportAnswer.ts"
import * as Record from "./Record.ts"

/** Source: contract, "Limits", import file size. */
const maxBytes = 5 * 1_048_576

const shownErrors = 20

const decode = Schema.decodeUnknownEither(Schema.parseJson(ImportRecord))

const columns: ReadonlyArray<Column<RowError>> = [
  { title: "ROW", value: ({ row }) => row },
  { title: "ERROR", value: ({ error }) => error },
  { title: "VALUE", value: ({ value }) => value }
]

const recipients = (n: number): string => `${count(n)} recipients`

const resumable =
  "What was added stays added; import the same file again to go on: rows that are there already are reported, not added twice."

/** Sends a file and reads the import that the server made of it. */
const upload = Effect.fnUntraced(function* (id: string, path: string) {
  const rest = yield* Rest
  const file = yield* Files.source(path)
  if (file.size !== undefined && file.size > maxBytes) {
    return yield* new CommandFailed({
      message: `${path} has ${size(file.size)}: a file of at most 5 MB can be imported, so split it`
    })
  }
  let sent = 0
  const answer = ImportAnswer.make()
  let answered = false
  const bar = (): Bar => {
    if (answered)
      return { label: "Adding", done: answer.recipients(), total: undefined, unit: recipients, facts: [] }
    const isSent = sent === file.size
    return isSent
      ? { label: "Reading", done: sent, total: undefined, unit: size, facts: [] }
      : { label: "Uploading", done: sent, total: file.size, unit: size, facts: [] }
  }
  const bytes = Stream.tap(file.bytes, (piece) =>
    Effect.sync(() => {
      sent += piece.length
    })
  )
  yield* Live.during(
    bar,
    Stream.runForEach(
      rest.upload(`${Record.pathOf(id)}/recipients/import`, Form.withFile(path, file.size, bytes)),
      (piece) =>
        Effect.sync(() => {
          answered = true
          answer.push(piece)
        })
    )
  ).pipe(Effect.onExit((exit) => (answered && Exit.isFailure(exit) ? note(resumable) : Effect.void)))
  const read = yield* Either.mapLeft(
    answer.end(),
    ({ message }) => new CommandFailed({ message: `the answer of ${rest.address} is not usable: ${message}` })
  )
  const text = rest.without(read.text)
  const value = yield* Either.mapLeft(decode(text), () => foreign(rest.address, 200))
  return { text, value }
})

const report = (errors: ReadonlyArray<RowError>, kept: Option.Option<string>, width: number | undefined) => {
  if (errors.length === 0) return ""
  const more = errors.length - shownErrors
  const hint = Option.match(kept, {
    onNone: () => "--errors FILE writes them all, as CSV.",
    onSome: (path) => `All are in ${path}.`
  })
  return (
    `\n\n${table(columns, errors.slice(0, shownErrors), width)}` +
    (more <= 0 ? "" : `\n\n${count(more)} more row errors. ${hint}`)
  )
}

export const importFile = command(
  "import",
  {
    about:
      "Adds the recipients of a file to a campaign. One column holds the phone number, named phone_number, phone, mobile or number; every other column becomes a variable.\nGood rows are added, the others are reported. Ends with 0 all the same, unless --strict is given.",
    examples: [
      "outdial campaign import camp_01 customers.csv",
      "outdial campaign import camp_01 customers.xlsx --errors rejected.csv --strict"
    ]
  },
  {
    id: Record.id,
    file: Flags.argument(
      "FILE",
      "A CSV file in UTF-8, or an .xlsx spreadsheet, with a header row; at most 5 MB."
    ),
    errors: Options.optional(Flags.text("errors", "FILE", "Where all row errors are written, as CSV.")),
    strict: Flags.flag("strict", "Ends with 1 if a row was rejected; good rows are added all the same."),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ errors, file, id, json, strict }) {
    const { text, value } = yield* upload(id, file)
    if (Option.isSome(errors)) yield* Files.write(errors.value, Csv.ofErrors(value.errors))
    yield* verbatim(
      json,
      text,
      (width) =>
        pairs([
          ["ROWS", value.total_rows],
          ["ACCEPTED", value.accepted_rows],
          ["REJECTED", value.rejected_rows]
        ]) + report(value.errors, errors, width)
    )
    if (strict && value.rejected_rows > 0) return yield* new Unhealthy()
  }, Connection.provide)
)
