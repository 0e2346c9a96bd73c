import * as Options from "@effect/cli/Options"
import { Effect, Option, Stream } from "effect"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { type Bar, count, size } from "../progress/Bar.ts"
import * as Live from "../progress/Live.ts"
import * as Connection from "../rest/Connection.ts"
import { Rest } from "../rest/Rest.ts"
import * as Files from "../terminal/Files.ts"
import { Output, result } from "../terminal/Output.ts"
import * as Csv from "./Csv.ts"
import * as Record from "./Record.ts"

const results = Effect.map(Rest, (rest) => (id: string) => rest.download(`${Record.pathOf(id)}/results.csv`))

const toFile = Effect.fnUntraced(function* (id: string, output: string, json: boolean) {
  const counter = Csv.counter()
  let bytes = 0
  const bar = (): Bar => ({ label: "Downloading", done: bytes, total: undefined, unit: size, facts: [] })
  const pieces = Stream.tap((yield* results)(id), (piece) =>
    Effect.sync(() => {
      bytes += piece.length
      counter.push(piece)
    })
  )
  yield* Live.during(bar, Files.write(output, pieces))
  const recipients = Math.max(0, counter.count() - 1)
  yield* result(
    json,
    { campaign_id: id, output, recipients, bytes },
    () => `The results of ${count(recipients)} recipients are in ${output}.`
  )
})

export const exportResults = command(
  "export",
  {
    about:
      "Writes the result of every recipient of a campaign as CSV.\nIt has status, outcome, call, attempts, seconds " +
      "of talk, price, answers and variables. Phone numbers are masked; a key with the scope recipients:export gets a " +
      "column with the full numbers too.",
    examples: ["outdial campaign export camp_01 --output results.csv", "outdial campaign export camp_01"]
  },
  {
    id: Record.id,
    output: Options.optional(
      Flags.text("output", "FILE", "Where the results are written; stdout, when not given.")
    ),
    url: Connection.url,
    json: Flags.flag("json", "With --output: answers one JSON document that says what was written.")
  },
  Effect.fnUntraced(function* ({ id, json, output }) {
    if (Option.isSome(output)) return yield* toFile(id, output.value, json)
    if (json)
      return yield* Effect.fail(Flags.invalid("--json needs --output: the results themselves are CSV"))
    const { bytes } = yield* Output
    yield* Stream.runForEach((yield* results)(id), bytes)
  }, Connection.provide)
)
