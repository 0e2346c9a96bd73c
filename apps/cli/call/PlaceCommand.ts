import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { CallRecord } from "../../../core/model/calls/Call.ts"
import { command } from "../command/Command.ts"
import * as CallConfig from "../command/CallConfig.ts"
import * as Flags from "../command/Flags.ts"
import { variables } from "../command/Variables.ts"
import * as Connection from "../rest/Connection.ts"
import { Rest } from "../rest/Rest.ts"
import { inDoubt } from "../rest/RestErrors.ts"
import { note, verbatim } from "../terminal/Output.ts"
import * as Call from "./Call.ts"
import { watched } from "./WatchCommand.ts"

/** The text of a JSON object, which is sent as it stands. */
const objectOf = (text: string) => {
  const wanted = Flags.invalid(`--metadata must be a JSON object, such as '{"order":17}'`)
  return Effect.try({ try: (): unknown => JSON.parse(text), catch: () => wanted }).pipe(
    Effect.filterOrFail(
      (value) => typeof value === "object" && value !== null && !Array.isArray(value),
      () => wanted
    ),
    Effect.as(text)
  )
}

const options = {
  to: Flags.argument("NUMBER", "The number to call, in E.164 form, such as +14155550123."),
  agent: Flags.text("agent", "ID", "The agent that speaks, as `agent list` shows it: a published one."),
  from: Options.optional(
    Flags.text(
      "from",
      "ID",
      "The phone number to call from, as `number list` shows it; the workspace's first, when not given."
    )
  ),
  name: Options.optional(Flags.text("name", "NAME", "Who is called, at most 128 characters.")),
  variables,
  metadata: Flags.text(
    "metadata",
    "JSON",
    "A JSON object of your own; it comes back on the record and on every event."
  ).pipe(Options.mapEffect(objectOf), Options.optional),
  key: Options.optional(
    Flags.text("idempotency-key", "KEY", "A second call with the same key is refused, not dialled.")
  ),
  ...CallConfig.options,
  maxLength: Options.optional(
    Flags.whole("max-length", "Seconds that the call may last; 3600 when not given.")
  ),
  watch: Flags.flag("watch", "Watches the call to its end, as `call watch` does."),
  url: Connection.url,
  json: Flags.json
}

export const place = command(
  "place",
  {
    about: "Places a call. The answer comes at once, before anything is dialled.",
    examples: [
      "outdial call place +14155550123 --agent agent_01",
      "outdial call place +14155550123 --agent agent_01 --variable name=Ada --watch",
      "outdial call place +14155550123 --agent agent_01 --retries 2 --idempotency-key order-17",
      "outdial call place +14155550123 --agent agent_01 --window 09:00-17:30 --timezone Europe/Paris --json"
    ]
  },
  options,
  Effect.fnUntraced(function* (given) {
    const config = yield* CallConfig.configOf(given)
    const max_call_length = Option.getOrUndefined(given.maxLength)
    const body = {
      agent_id: given.agent,
      to_number: given.to,
      from_phone_number_id: Option.getOrUndefined(given.from),
      callee_name: Option.getOrUndefined(given.name),
      custom_variables: given.variables.length === 0 ? undefined : Object.fromEntries(given.variables),
      idempotency_key: Option.getOrUndefined(given.key),
      call_config:
        config === undefined && max_call_length === undefined ? undefined : { ...config, max_call_length }
    }
    const text = JSON.stringify(body)
    const sent = Option.match(given.metadata, {
      onNone: () => text,
      onSome: (metadata) => `${text.slice(0, -1)},"metadata":${metadata}}`
    })
    const placed = yield* (yield* Rest)
      .ask(CallRecord, "POST", Call.path, sent)
      .pipe(
        Effect.mapError(inDoubt("the call may have been placed all the same: `outdial call list` shows it"))
      )
    if (given.watch) return yield* watched(placed.value.call_id, given.json)
    yield* verbatim(given.json, placed.text, () => Call.described(placed))
    if (!given.json) yield* note(`\nNext: outdial call watch ${placed.value.call_id}`)
  }, Connection.provide)
)
