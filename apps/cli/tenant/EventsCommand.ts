import * as Options from "@effect/cli/Options"
import { Clock, Effect, Option, Schema, Stream } from "effect"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import { follow, jsonLine, type ServerEvent } from "../rest/Events.ts"
import { insist } from "../rest/Patience.ts"
import { note, Output } from "../terminal/Output.ts"
import { moment, printable } from "../terminal/Table.ts"

const kinds = ["call", "campaign", "run", "delivery"] as const

/** What is shown of a record, whatever it is of. */
const Shown = Schema.parseJson(
  Schema.Struct({
    call_id: Schema.optional(Schema.NullOr(Schema.String)),
    id: Schema.optional(Schema.String),
    status: Schema.String,
    outcome: Schema.optional(Schema.NullOr(Schema.String)),
    event_type: Schema.optional(Schema.String)
  })
)

const lineOf = Effect.fnUntraced(function* ({ data, name }: ServerEvent) {
  const { call_id, event_type, id, outcome, status } = yield* Schema.decode(Shown)(data)
  const now = moment(yield* Clock.currentTimeMillis)
  const facts = [now, name, id ?? call_id, status, outcome ?? event_type]
  return facts.flatMap((fact) => (fact == null ? [] : [printable(fact)])).join("  ")
})

const Count = Schema.Int.pipe(Schema.filter((n) => n >= 1 || "must be at least 1"))

/** What changes in a workspace, by the REST interface. */
export const events = command(
  "events",
  {
    about:
      "Prints what changes in the workspace as it changes: calls, campaigns, test runs, deliveries. Ctrl-C ends it. What changed while no server answered is not told; what must not be missed goes to a webhook.",
    examples: [
      "outdial events",
      "outdial events --only campaign --only run",
      "outdial events --count 1 --json"
    ]
  },
  {
    only: Flags.text(
      "only",
      "KIND",
      `Only changes of this kind: ${kinds.join(", ")}. May be given again.`
    ).pipe(Options.repeated, Options.mapEffect(Effect.forEach(Flags.oneOf("--only", kinds)))),
    count: Options.optional(Flags.whole("count", "Ends after so many changes.", Count)),
    url: Connection.url,
    json: Flags.flag("json", "Writes each change as a line of JSON: its `event` and its `data`.")
  },
  Effect.fnUntraced(function* ({ count, json, only }) {
    const { out } = yield* Output
    const wanted: ReadonlyArray<string> = only.length === 0 ? kinds : only
    let left = Option.getOrElse(count, () => Infinity)
    const print = Effect.fnUntraced(function* (event: ServerEvent) {
      left--
      yield* out(json ? jsonLine(event) : yield* Effect.orDie(lineOf(event)))
    })
    let connected = false
    const shown = follow("/events").pipe(
      Stream.tap(() => Effect.sync(() => (connected = true))),
      Stream.filter(({ name }) => wanted.includes(name)),
      Stream.tap(print),
      Stream.takeUntil(() => left <= 0),
      Stream.runDrain
    )
    // A server that never answered is an error at once; one that is lost is waited for.
    yield* Effect.catchIf(
      shown,
      () => connected,
      () => Effect.void
    )
    // The server ends the stream after a quarter of an hour.
    yield* Effect.whileLoop({
      while: () => left > 0,
      body: () => Effect.delay(insist(shown, note), "1 second"),
      step: () => undefined
    })
  }, Connection.provide)
)
