import type { Command } from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { CampaignRecord } from "../../../core/model/campaigns/Campaign.ts"
import { isoTimestamp } from "../../../core/model/Codecs.ts"
import * as CallConfig from "../command/CallConfig.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import { Rest } from "../rest/Rest.ts"
import { note, verbatim } from "../terminal/Output.ts"
import * as Message from "./Message.ts"
import * as Record from "./Record.ts"

const options = {
  name: Flags.text("name", "NAME", "The campaign's name, at most 200 characters."),
  agent: Flags.text(
    "agent",
    "ID",
    "The agent that speaks, or writes: published, with the campaign's channel."
  ),
  channel: Message.channel,
  template: Message.template,
  map: Message.map,
  from: Options.optional(
    Flags.text("from", "ID", "The phone number that it calls from; the workspace's first, when not given.")
  ),
  maxConcurrency: Options.optional(
    Flags.whole("max-concurrency", "Calls under way at one time; the workspace's own, when not given.")
  ),
  callsPerMinute: Options.optional(
    Flags.whole(
      "calls-per-minute",
      "Dials started in any one minute; the workspace's own limit, when not given."
    )
  ),
  ...CallConfig.options,
  byNumber: Flags.flag(
    "by-number",
    "The calling window holds in the local time of each recipient, by its number."
  ),
  skipHolidays: Flags.flag(
    "skip-public-holidays",
    "No recipient is called on a public holiday of the country of its number; needs --window."
  ),
  scheduledFor: Options.optional(
    Flags.time("scheduled-for", "When it starts by itself, such as 2027-02-03T09:00:00Z.")
  ),
  url: Connection.url,
  json: Flags.json
}

type Given = Command.ParseConfig<typeof options>

const bodyOf = Effect.fnUntraced(function* (given: Given) {
  const call_config = yield* CallConfig.configOf(given)
  return {
    name: given.name,
    agent_id: given.agent,
    ...(yield* Message.bodyOf(given)),
    from_phone_number_id: Option.getOrUndefined(given.from),
    max_concurrency: Option.getOrUndefined(given.maxConcurrency),
    calls_per_minute: Option.getOrUndefined(given.callsPerMinute),
    ...(given.byNumber && { recipient_timezone: "by_number" }),
    ...(given.skipHolidays && { skip_public_holidays: true }),
    scheduled_for: Option.getOrUndefined(Option.map(given.scheduledFor, isoTimestamp)),
    call_config
  }
})

export const create = command(
  "create",
  {
    about:
      "Makes a campaign: one agent calls many recipients, or writes to them. Calls begin once the campaign has recipients and is started.",
    examples: [
      "outdial campaign create --name Spring --agent agent_01",
      "outdial campaign create --name Spring --agent agent_01 --retries 2 --calls-per-minute 60",
      "outdial campaign create --name Spring --agent agent_01 --window 09:00-17:30 --timezone Europe/Paris",
      "outdial campaign create --name Spring --agent agent_01 --window 09:00-17:30 --timezone UTC --by-number",
      "outdial campaign create --name Spring --agent agent_01 --scheduled-for 2027-02-03T09:00:00Z --json",
      "outdial campaign create --name May --agent agent_02 --channel msg --template tmpl_01 --map body.1=name"
    ]
  },
  options,
  Effect.fnUntraced(function* (given) {
    const body = yield* bodyOf(given)
    const made = yield* (yield* Rest).ask(CampaignRecord, "POST", "/campaigns", body)
    yield* verbatim(given.json, made.text, () => Record.described(made.value))
    if (!given.json) yield* note(`\nNext: outdial campaign import ${made.value.id} FILE`)
  }, Connection.provide)
)
