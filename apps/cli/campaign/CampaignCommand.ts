import * as Options from "@effect/cli/Options"
import { Effect, Option } from "effect"
import { CampaignRecord, CampaignStatus } from "../../../core/model/campaigns/Campaign.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { all } from "../command/Pages.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { type Answer, Rest } from "../rest/Rest.ts"
import { verbatim } from "../terminal/Output.ts"
import { create } from "./CreateCommand.ts"
import { exportResults } from "./ExportCommand.ts"
import { forecast } from "./ForecastCommand.ts"
import { importFile } from "./ImportCommand.ts"
import * as Record from "./Record.ts"
import { watch } from "./WatchCommand.ts"

const list = command(
  "list",
  {
    about: "Lists the workspace's campaigns, newest first.",
    examples: ["outdial campaign list", "outdial campaign list --status running"]
  },
  {
    status: Flags.text(
      "status",
      "STATUS",
      `Only campaigns of this status: ${CampaignStatus.literals.join(", ")}.`
    ).pipe(Options.mapEffect(Flags.oneOf("--status", CampaignStatus.literals)), Options.optional),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, status }) {
    const filter = { status: Option.getOrUndefined(status) }
    const campaigns = yield* all(Listing.pages(CampaignRecord, "/campaigns", filter))
    yield* Listing.show(json, campaigns, Record.columns, "There is no such campaign.")
  }, Connection.provide)
)

const show = command(
  "show",
  { about: "Shows a campaign with its counters.", examples: ["outdial campaign show camp_01"] },
  { id: Record.id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const campaign = yield* (yield* Rest).ask(CampaignRecord, "GET", Record.pathOf(id))
    yield* verbatim(json, campaign.text, () => Record.described(campaign.value))
  }, Connection.provide)
)

const changing = <Name extends string>(
  name: Name,
  text: string,
  change: (path: string) => Effect.Effect<Answer<CampaignRecord>, unknown, Rest>
) =>
  command(
    name,
    { about: text, examples: [`outdial campaign ${name} camp_01`] },
    { id: Record.id, url: Connection.url, json: Flags.json },
    Effect.fnUntraced(function* ({ id, json }) {
      const campaign = yield* change(Record.pathOf(id))
      yield* verbatim(json, campaign.text, () => `Campaign ${id} is ${Record.standing(campaign.value)}.`)
    }, Connection.provide)
  )

const set = (status: "paused" | "cancelled") =>
  Effect.fnUntraced(function* (path: string) {
    return yield* (yield* Rest).ask(CampaignRecord, "PATCH", path, { status })
  })

const start = changing(
  "start",
  "Starts a campaign, or goes on with a paused one. It needs a recipient.",
  Effect.fnUntraced(function* (path) {
    return yield* (yield* Rest).ask(CampaignRecord, "POST", `${path}/start`)
  })
)

const pause = changing(
  "pause",
  "Pauses a running campaign. It dials no more; calls under way go on to their end.",
  set("paused")
)

const cancel = changing(
  "cancel",
  "Cancels a campaign for good. Recipients that were not called yet are skipped; calls under way go on to their end.",
  set("cancelled")
)

export const campaign = group(
  "campaign",
  { about: "Runs campaigns on a server, over its REST interface, with the API key of OUTDIAL_API_KEY." },
  [list, show, create, importFile, start, pause, cancel, watch, forecast, exportResults]
)
