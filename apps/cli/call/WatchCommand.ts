import { Clock, Duration, Effect } from "effect"
import { CallRecord } from "../../../core/model/calls/Call.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import { jsonLine } from "../rest/Events.ts"
import * as Patience from "../rest/Patience.ts"
import { type Answer, Rest } from "../rest/Rest.ts"
import { Unhealthy } from "../terminal/Failure.ts"
import { note, Output } from "../terminal/Output.ts"
import { moment } from "../terminal/Table.ts"
import * as Call from "./Call.ts"
import * as Talk from "./Talk.ts"

const isTalked = (call: CallRecord): boolean => call.status === "in_progress" || Call.hasEnded(call)

const followed = Effect.fnUntraced(function* (id: string, json: boolean, interval: Duration.Duration) {
  const { out } = yield* Output
  const { ask } = yield* Rest
  let shown = ""
  const talked = new Set<string>()
  const show = Effect.fnUntraced(function* ({ text, value }: Answer<CallRecord>) {
    const standing = Call.standing(value)
    if (standing === shown) return
    shown = standing
    const now = moment(yield* Clock.currentTimeMillis)
    yield* out(json ? jsonLine({ name: "call", data: text }) : `${now}  ${standing}`)
  })
  const question = ask(CallRecord, "GET", Call.pathOf(id))
  let call = yield* question
  for (;;) {
    yield* show(call)
    const { session_id } = call.value
    if (session_id !== null && isTalked(call.value) && !talked.has(session_id)) {
      talked.add(session_id)
      yield* Talk.print(session_id, json)
    } else if (Call.hasEnded(call.value)) return call.value
    else yield* Effect.sleep(interval)
    call = yield* Patience.insist(question, note)
  }
})

/** Watches a call to its end. Fails with `Unhealthy` unless it is completed. */
export const watched = Effect.fnUntraced(function* (
  id: string,
  json: boolean,
  interval: Duration.Duration = Duration.seconds(1)
) {
  const call = yield* followed(id, json, interval).pipe(
    Effect.onInterrupt(() => (json ? Effect.void : note("No longer watching; the call goes on.")))
  )
  if (call.status !== "completed") return yield* new Unhealthy()
})

export const watch = command(
  "watch",
  {
    about:
      "Watches a call to its end and prints its talk as it happens.\nIt goes on through retries and short outages of the server. Of a call that is over it prints what was said. Ctrl-C ends the watching, not the call.\nEnds with 0 when the call is completed, with 1 when it failed or was cancelled.",
    examples: ["outdial call watch call_01", "outdial call watch call_01 --json"]
  },
  {
    id: Call.id,
    interval: Patience.interval,
    url: Connection.url,
    json: Flags.flag(
      "json",
      "Writes a line of JSON for each change of the call, each turn, and the end of the talk: its `event` and its `data`."
    )
  },
  Effect.fnUntraced(function* ({ id, interval, json }) {
    yield* watched(id, json, interval)
  }, Connection.provide)
)
