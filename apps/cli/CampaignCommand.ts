import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { CampaignRecord, CampaignStatus } from "../../core/campaigns/Campaign.ts"
import { elements, topLevel } from "../../core/json/RawJson.ts"
import * as Administration from "./Administration.ts"
import * as Connection from "./campaign/Connection.ts"
import { create } from "./campaign/CreateCommand.ts"
import { exportResults } from "./campaign/ExportCommand.ts"
import { importFile } from "./campaign/ImportCommand.ts"
import * as Record from "./campaign/Record.ts"
import { type Answer, Rest } from "./campaign/Rest.ts"
import { watch } from "./campaign/WatchCommand.ts"
import * as Flags from "./Flags.ts"
import { Output, verbatim } from "./Output.ts"
import { table } from "./Table.ts"

export { create, exportResults, importFile, watch }

const Page = Schema.Struct({
  data: Schema.Array(CampaignRecord),
  pagination: Schema.Struct({ total: Schema.Int })
})

/** The campaigns of one page, each with the text that it came in. */
const page = (status: Option.Option<CampaignStatus>) =>
  Effect.fnUntraced(function* ({ limit, offset }: { readonly limit: number; readonly offset: number }) {
    const filter = Option.match(status, { onNone: () => "", onSome: (value) => `&status=${value}` })
    const { text, value } = yield* (yield* Rest).ask(
      Page,
      "GET",
      `/campaigns?limit=${limit}&offset=${offset}${filter}`
    )
    const texts = elements(topLevel(text).get("data") ?? "[]")
    const data = value.data.map((campaign, i): Answer<CampaignRecord> => ({
      value: campaign,
      text: texts[i]!
    }))
    return { data, total: value.pagination.total }
  })

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
    const { columns, out } = yield* Output
    const campaigns = yield* Administration.all(page(status))
    if (json) return yield* out(`{"data":[${campaigns.map(({ text }) => text).join(",\n")}]}`)
    yield* out(
      campaigns.length === 0
        ? "There is no such campaign."
        : table(
            Record.columns,
            campaigns.map(({ value }) => value),
            columns
          )
    )
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
