import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { CampaignRecord, CampaignStatus } from "../../../core/model/campaigns/Campaign.ts"
import * as Administration from "../administration/Administration.ts"
import * as Connection from "../rest/Connection.ts"
import * as Listing from "../rest/Listing.ts"
import { type Answer, Rest } from "../rest/Rest.ts"
import * as Flags from "../terminal/Flags.ts"
import { verbatim } from "../terminal/Output.ts"
import { create } from "./CreateCommand.ts"
import { exportResults } from "./ExportCommand.ts"
import { importFile } from "./ImportCommand.ts"
import * as Record from "./Record.ts"
import { watch } from "./WatchCommand.ts"

export { create, exportResults, importFile, watch }

const statusOf = (status: string) =>
  Schema.is(CampaignStatus)(status)
    ? Effect.succeed(status)
    : Effect.fail(Flags.invalid(`--status must be one of ${CampaignStatus.literals.join(", ")}`))

export const list = Command.make(
  "list",
  {
    status: Options.text("status").pipe(
      Options.withPseudoName("STATUS"),
      Options.withDescription(`Only campaigns of this status: ${CampaignStatus.literals.join(", ")}.`),
      Options.mapEffect(statusOf),
      Options.optional
    ),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fn("cli.campaign.list")(function* ({ json, status }) {
    const filter = { status: Option.getOrUndefined(status) }
    const campaigns = yield* Administration.all(Listing.pages(CampaignRecord, "/campaigns", filter))
    yield* Listing.show(json, campaigns, Record.columns, "There is no such campaign.")
  })
).pipe(
  Connection.provide,
  Command.withDescription(
    Flags.describe(
      "Lists the workspace's campaigns, newest first.",
      "outdial campaign list",
      "outdial campaign list --status running"
    )
  )
)

export const show = Command.make(
  "show",
  { id: Record.id, url: Connection.url, json: Flags.json },
  Effect.fn("cli.campaign.show")(function* ({ id, json }) {
    const campaign = yield* (yield* Rest).ask(CampaignRecord, "GET", Record.pathOf(id))
    yield* verbatim(json, campaign.text, () => Record.described(campaign.value))
  })
).pipe(
  Connection.provide,
  Command.withDescription(
    Flags.describe("Shows a campaign with its counters.", "outdial campaign show camp_01")
  )
)

const changing = <Name extends string>(
  name: Name,
  text: string,
  change: (path: string) => Effect.Effect<Answer<CampaignRecord>, unknown, Rest>
) =>
  Command.make(
    name,
    { id: Record.id, url: Connection.url, json: Flags.json },
    Effect.fn(`cli.campaign.${name}`)(function* ({ id, json }) {
      const campaign = yield* change(Record.pathOf(id))
      yield* verbatim(json, campaign.text, () => `Campaign ${id} is ${Record.standing(campaign.value)}.`)
    })
  ).pipe(
    Connection.provide,
    Command.withDescription(Flags.describe(text, `outdial campaign ${name} camp_01`))
  )

const set = (status: "paused" | "cancelled") =>
  Effect.fnUntraced(function* (path: string) {
    return yield* (yield* Rest).ask(CampaignRecord, "PATCH", path, { status })
  })

export const start = changing(
  "start",
  "Starts a campaign, or goes on with a paused one. It needs a recipient.",
  Effect.fnUntraced(function* (path) {
    return yield* (yield* Rest).ask(CampaignRecord, "POST", `${path}/start`)
  })
)

export const pause = changing(
  "pause",
  "Pauses a running campaign. It dials no more; calls under way come to their end.",
  set("paused")
)

export const cancel = changing(
  "cancel",
  "Cancels a campaign for good. Whoever was not called yet is skipped; calls under way come to their end.",
  set("cancelled")
)

export const campaign = Command.make("campaign").pipe(
  Command.withDescription(
    Flags.describe(
      "Runs campaigns on a server, over its REST interface, with the API key of OUTDIAL_API_KEY."
    )
  ),
  Command.withSubcommands([list, show, create, importFile, start, pause, cancel, watch, exportResults])
)
