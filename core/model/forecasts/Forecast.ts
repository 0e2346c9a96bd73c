import { Schema } from "effect"
import type { CampaignState } from "../campaigns/Campaign.ts"
import { open } from "../campaigns/CampaignCounters.ts"
import { minute, second, Timestamp } from "../Codecs.ts"
import { CalleeModel } from "../simulation/CalleeModel.ts"
import { Learned } from "../simulation/Learned.ts"
import { likely } from "../simulation/Posterior.ts"
import { predicted, rounded } from "../simulation/Spread.ts"
import type { Ending } from "./Rest.ts"

const band = <A, I>(value: Schema.Schema<A, I>) => Schema.Struct({ p10: value, p50: value, p90: value })

const Amounts = band(Schema.Number).annotations({ identifier: "ForecastAmounts" })

/** When a running campaign will be done, whom it will have reached, and what it will cost yet. */
export const Forecast = Schema.Struct({
  campaign_id: Schema.String,
  made_at: Timestamp.annotations({ description: "When this forecast was made" }),
  recipients: Schema.Int.annotations({ description: "Recipients who were not done then" }),
  runs: Schema.Int.annotations({ description: "How often the rest of the campaign was played" }),
  completed_share: Schema.Number.annotations({
    description: "The share of the runs that come to their end; in the others the credits are used up before"
  }),
  finishes_at: Schema.NullOr(band(Timestamp).annotations({ identifier: "ForecastTimes" })).annotations({
    description: "When the campaign is completed, in the runs in which it is; null: in none"
  }),
  reached: Amounts.annotations({ description: "Recipients who will have answered in all" }),
  attempts: Amounts.annotations({ description: "Attempts in all" }),
  credits: Amounts.annotations({ description: "What the talks from then on are charged" }),
  model: CalleeModel.annotations({
    description: "How callees behave, most likely. Each run has callees that may differ from it"
  }),
  learned: Learned.annotations({ description: "The campaign's own calls that this was learned from" })
}).annotations({ identifier: "CampaignForecast" })
export type Forecast = typeof Forecast.Type

const bandOf = (values: ReadonlyArray<number>, round: (value: number) => number) => {
  const ascending = values.toSorted((a, b) => a - b)
  const of = (chance: number) => round(predicted(ascending, chance))
  return { p10: of(0.1), p50: of(0.5), p90: of(0.9) }
}

export const forecastOf = (
  { campaign, counters }: CampaignState,
  learned: Learned,
  endings: ReadonlyArray<Ending>,
  made_at: number
): Forecast => {
  const completed = endings.filter(({ is_completed }) => is_completed)
  return {
    campaign_id: campaign.id,
    made_at,
    recipients: open(counters),
    runs: endings.length,
    completed_share: rounded(completed.length / endings.length),
    finishes_at:
      completed.length === 0
        ? null
        : bandOf(
            completed.map(({ ended_at }) => ended_at),
            Math.round
          ),
    reached: bandOf(
      endings.map(({ reached }) => counters.answered + reached),
      rounded
    ),
    attempts: bandOf(
      endings.map(({ attempts }) => counters.attempts + attempts),
      rounded
    ),
    credits: bandOf(
      endings.map(({ credits }) => credits),
      rounded
    ),
    model: likely(learned),
    learned
  }
}

/** Recipients that a run plays: of more, each stands for several. */
const mostInRun = 20_000
const fewRecipients = 5_000

/** How often the rest is played, and how many recipients each one that is played stands for. */
export const sizeOf = (recipients: number): { readonly runs: number; readonly scale: number } => ({
  runs: recipients <= fewRecipients ? 39 : 19,
  scale: Math.max(1, Math.ceil(recipients / mostInRun))
})

/** Calls that a forecast is learned from: the newest, if there are more. */
export const mostLearned = 100_000

const freshFor = 15 * second
const staleAfter = 5 * minute
/** The share of a campaign's attempts and open recipients that, when it is new, asks for a new forecast. */
const enough = 0.02

/** Of what a forecast was made, and when. */
export interface Made {
  readonly state: CampaignState
  readonly at: number
}

/** Whether a forecast still holds: it is new, or little has happened since, and nothing was changed by hand. */
export const holds = (
  { at, state: before }: Made,
  { campaign, counters }: CampaignState,
  now: number
): boolean => {
  if (campaign.updated_at !== before.campaign.updated_at || now < at) return false
  if (now < at + freshFor) return true
  const moved =
    Math.abs(counters.attempts - before.counters.attempts) + Math.abs(open(counters) - open(before.counters))
  return now < at + staleAfter && moved <= enough * (before.counters.attempts + open(before.counters))
}
