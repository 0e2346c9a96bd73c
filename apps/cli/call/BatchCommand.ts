import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { CallStatus } from "../../../core/model/calls/Call.ts"
import { CallBatchRecord } from "../../../core/model/calls/CallBatch.ts"
import { isoTimestamp } from "../../../core/model/Codecs.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import { type Answer, Rest } from "../rest/Rest.ts"
import { inDoubt } from "../rest/RestErrors.ts"
import { CommandFailed } from "../terminal/Failure.ts"
import * as Files from "../terminal/Files.ts"
import { verbatim } from "../terminal/Output.ts"
import { type Column, moment, pairs, table } from "../terminal/Table.ts"

type Batch = typeof CallBatchRecord.Type
type Item = Batch["items"][number]

const path = "/call-batches"
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`

const columns: ReadonlyArray<Column<Item>> = [
  { title: "CALL", value: ({ index }) => index },
  { title: "STATUS", value: ({ status }) => status },
  { title: "ID", value: ({ call_id }) => call_id ?? "" },
  { title: "WHY", value: ({ error }) => error?.message ?? "" }
]

/** `3 queued, 12 completed` */
const standing = (statuses: Batch["statuses"]): string =>
  CallStatus.literals
    .flatMap((status) => (statuses[status] === 0 ? [] : [`${statuses[status]} ${status}`]))
    .join(", ")

/** The batch in lines, and each call that was not created. */
const described = ({ value }: Answer<Batch>, width: number | undefined): string => {
  const { cancelled_at, counts, created_at, id, items, scheduled_for, status, statuses } = value
  const others = items.filter((item) => item.status !== "created")
  const lines: ReadonlyArray<readonly [string, string | number]> = [
    ["ID", id],
    ["STATUS", status],
    ["CALLS", counts.total],
    ["CREATED", counts.created],
    ["DUPLICATE", counts.duplicate],
    ["REFUSED", counts.refused],
    ["STAND NOW", standing(statuses)],
    ["DUE", scheduled_for === null ? "at once" : moment(scheduled_for)],
    ["MADE", moment(created_at)],
    ["CANCELLED", cancelled_at === null ? "" : moment(cancelled_at)]
  ]
  const text = pairs(lines.filter(([, text]) => text !== ""))
  return others.length === 0 ? text : `${text}\n\n${table(columns, others, width)}`
}

const id = Flags.argument("BATCH_ID", "The batch's id, as `call batch place` shows it.")

/** The JSON text of the request. The calls in it are sent as they stand in the file. */
const bodyOf = Effect.fnUntraced(function* (file: string, scheduledFor: Option.Option<number>) {
  const text = (yield* Files.textOf(file)).trim()
  const wanted = new CommandFailed({
    message: `${file} must hold a list of calls as JSON, each with agent_id and to_number`
  })
  const parsed = yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: () => wanted })
  if (!Array.isArray(parsed)) return yield* wanted
  const scheduled = Option.match(scheduledFor, {
    onNone: () => "",
    onSome: (time) => `,"scheduled_for":"${isoTimestamp(time)}"`
  })
  return `{"calls":${text}${scheduled}}`
})

const place = command(
  "place",
  {
    about:
      "Places up to 1,000 calls of a file: a JSON list of what `POST /calls` takes. A call that is refused stops no other.",
    examples: [
      "outdial call batch place calls.json",
      "outdial call batch place calls.json --scheduled-for 2027-02-03T09:00:00Z"
    ]
  },
  {
    file: Flags.argument("FILE", "A JSON file with the list of calls."),
    scheduledFor: Options.optional(
      Flags.time("scheduled-for", "When the calls are due, such as 2027-02-03T09:00:00Z; now when not given.")
    ),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ file, json, scheduledFor }) {
    const body = yield* bodyOf(file, scheduledFor)
    const made = yield* (yield* Rest)
      .ask(CallBatchRecord, "POST", path, body, "2 minutes")
      .pipe(
        Effect.mapError(inDoubt("calls may have been placed all the same: `outdial call list` shows them"))
      )
    yield* verbatim(json, made.text, (width) => described(made, width))
  }, Connection.provide)
)

const show = command(
  "show",
  {
    about: "Shows a batch: what became of its calls.",
    examples: ["outdial call batch show batch_01"]
  },
  { id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const found = yield* (yield* Rest).ask(CallBatchRecord, "GET", pathOf(id))
    yield* verbatim(json, found.text, (width) => described(found, width))
  }, Connection.provide)
)

const cancel = command(
  "cancel",
  {
    about: "Cancels every call of a batch that has not ended.",
    examples: ["outdial call batch cancel batch_01"]
  },
  { id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const cancelled = yield* (yield* Rest).ask(
      CallBatchRecord,
      "POST",
      `${pathOf(id)}/cancel`,
      undefined,
      "2 minutes"
    )
    yield* verbatim(json, cancelled.text, () => `Batch ${id} is cancelled.`)
  }, Connection.provide)
)

export const batch = group("batch", { about: "Places, shows and cancels many calls at once." }, [
  place,
  show,
  cancel
])
