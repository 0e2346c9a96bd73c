import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { CallAttemptRecord } from "../../../core/model/calls/Attempt.ts"
import { CallRecord, CallStatus, Outcome } from "../../../core/model/calls/Call.ts"
import { isoTimestamp } from "../../../core/model/Codecs.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { Rest } from "../rest/Rest.ts"
import { verbatim } from "../terminal/Output.ts"
import { batch } from "./BatchCommand.ts"
import * as Call from "./Call.ts"
import { place } from "./PlaceCommand.ts"
import { watch } from "./WatchCommand.ts"

const only = (name: string, value: string, about: string) => Options.optional(Flags.text(name, value, about))

const filters = {
  status: Flags.text(
    "status",
    "STATUS",
    `Only calls of this status: ${CallStatus.literals.join(", ")}. May be given again.`
  ).pipe(Options.repeated, Options.mapEffect(Effect.forEach(Flags.oneOf("--status", CallStatus.literals)))),
  outcome: Flags.text(
    "outcome",
    "OUTCOME",
    `Only calls that came out so: ${Outcome.literals.join(", ")}.`
  ).pipe(Options.mapEffect(Flags.oneOf("--outcome", Outcome.literals)), Options.optional),
  agent: only("agent", "ID", "Only calls of this agent."),
  campaign: only("campaign", "ID", "Only calls of this campaign."),
  from: only("from", "ID", "Only calls from this phone number, by its id."),
  to: only("to", "NUMBER", "Only calls to this number, or to numbers that end in these digits (4 or more)."),
  key: only("idempotency-key", "KEY", "Only the call of this key."),
  session: only("session", "ID", "Only the call of this session."),
  metadata: Flags.text(
    "metadata",
    "NAME=VALUE",
    "Only calls with this value in their metadata, such as order=17, or 17 of any key; `workspace update --metadata-key` names the keys."
  ).pipe(Options.repeated),
  since: Options.optional(Flags.time("since", "Only calls created at this time or later.")),
  until: Options.optional(Flags.time("until", "Only calls created before this time."))
}

/** What follows the first `=` is the value, whatever it holds; a text without one is the value of any key. */
const metadataOf = (texts: ReadonlyArray<string>) =>
  Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=")
      return at < 1 ? ["metadata", text] : [`metadata.${text.slice(0, at)}`, text.slice(at + 1)]
    })
  )

const list = command(
  "list",
  {
    about: "Lists the workspace's calls, newest first.",
    examples: [
      "outdial call list",
      "outdial call list --status queued --status retry_scheduled --limit 500",
      "outdial call list --to 0123 --since 2026-03-02T09:00:00Z --json"
    ]
  },
  { ...filters, limit: Listing.limit, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* (given) {
    const calls = yield* Listing.newest(CallRecord, Call.path, ({ call_id }) => call_id, given.limit, {
      status: given.status,
      outcome: Option.getOrUndefined(given.outcome),
      agent_id: Option.getOrUndefined(given.agent),
      campaign_id: Option.getOrUndefined(given.campaign),
      from_phone_number_id: Option.getOrUndefined(given.from),
      to_number: Option.getOrUndefined(given.to),
      idempotency_key: Option.getOrUndefined(given.key),
      session_id: Option.getOrUndefined(given.session),
      created_after: Option.getOrUndefined(Option.map(given.since, isoTimestamp)),
      created_before: Option.getOrUndefined(Option.map(given.until, isoTimestamp)),
      ...metadataOf(given.metadata)
    })
    yield* Listing.show(given.json, calls, Call.columns, "There is no such call.")
  }, Connection.provide)
)

const Attempts = Schema.Struct({ data: Schema.Array(CallAttemptRecord) })

const show = command(
  "show",
  {
    about: "Shows a call with its attempts.",
    examples: ["outdial call show call_01", "outdial call show call_01 --json"]
  },
  { id: Call.id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const { ask } = yield* Rest
    const call = yield* ask(CallRecord, "GET", Call.pathOf(id))
    const attempts = json ? [] : (yield* ask(Attempts, "GET", `${Call.pathOf(id)}/attempts`)).value.data
    yield* verbatim(json, call.text, (width) => Call.withAttempts(call, attempts, width))
  }, Connection.provide)
)

const cancel = command(
  "cancel",
  {
    about: "Cancels a call. One that is under way is hung up.",
    examples: ["outdial call cancel call_01"]
  },
  { id: Call.id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const call = yield* (yield* Rest).ask(CallRecord, "POST", `${Call.pathOf(id)}/cancel`)
    const text =
      call.value.status === "cancelled" ? `Call ${id} is cancelled.` : `Call ${id} is being hung up.`
    yield* verbatim(json, call.text, () => text)
  }, Connection.provide)
)

export const call = group(
  "call",
  { about: "Places, lists, shows, watches and cancels calls on a server, over its REST interface." },
  [place, list, show, watch, cancel, batch]
)
