import { type Duration, Effect } from "effect"
import { CampaignRecord } from "../../../core/model/campaigns/Campaign.ts"
import { CampaignProgress } from "../../../core/model/campaigns/CampaignProgress.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import * as Patience from "../rest/Patience.ts"
import { Rest } from "../rest/Rest.ts"
import { Unhealthy } from "../terminal/Failure.ts"
import { note } from "../terminal/Output.ts"
import * as Record from "./Record.ts"
import { type Outlook, viewer } from "./Viewer.ts"

const nothingMore: Outlook = { nextRetry: null, delivered: 0 }

/** Deliveries and the next retry, for a campaign that has any. */
const outlookOf = Effect.fnUntraced(function* (campaign: CampaignRecord) {
  if (campaign.channel !== "msg" && campaign.stats.retry_scheduled === 0) return nothingMore
  const rest = yield* Rest
  const { value } = yield* rest.ask(
    CampaignProgress,
    "GET",
    `${Record.pathOf(campaign.id)}/progress?interval=day`
  )
  return {
    nextRetry: value.next_retry_at,
    delivered: value.series.reduce((sum, { outcomes }) => sum + (outcomes.delivered ?? 0), 0)
  } satisfies Outlook
})

const followed = Effect.fnUntraced(function* (id: string, json: boolean, interval: Duration.Duration) {
  const rest = yield* Rest
  const { end, say, show } = yield* viewer(json)
  const question = Effect.gen(function* () {
    const campaign = yield* rest.ask(CampaignRecord, "GET", Record.pathOf(id))
    return { campaign, outlook: json ? nothingMore : yield* outlookOf(campaign.value) }
  })
  let { campaign, outlook } = yield* question
  yield* show(campaign, outlook)
  while (!Record.hasEnded(campaign.value)) {
    yield* Effect.sleep(interval)
    ;({ campaign, outlook } = yield* Patience.insist(question, say))
    yield* show(campaign, outlook)
  }
  yield* end(campaign.value, outlook)
  return campaign.value.status
})

export const watch = command(
  "watch",
  {
    about:
      "Watches a campaign to its end, through pauses and short outages of the server. Ctrl-C ends the watching, not the campaign.\nEnds with 0 when the campaign is completed, with 1 when it failed or was cancelled.",
    examples: ["outdial campaign watch camp_01", "outdial campaign watch camp_01 --interval 5 --json"]
  },
  {
    id: Record.id,
    interval: Patience.interval,
    url: Connection.url,
    json: Flags.flag("json", "Writes the campaign as a line of JSON at every change, nothing else.")
  },
  Effect.fnUntraced(function* ({ id, interval, json }) {
    const status = yield* Effect.scoped(followed(id, json, interval)).pipe(
      Effect.onInterrupt(() => (json ? Effect.void : note("No longer watching; the campaign goes on.")))
    )
    if (status !== "completed") return yield* new Unhealthy()
  }, Connection.provide)
)
