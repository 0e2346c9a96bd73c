import { Clock, Effect, Option } from "effect"
import { makeCampaignStore } from "../engine/CampaignStore.ts"
import { configOf } from "../model/calls/Call.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import { open as openOf } from "../model/campaigns/CampaignCounters.ts"
import { CampaignRefused } from "../model/campaigns/CampaignErrors.ts"
import { linesBeside } from "../model/campaigns/FairShare.ts"
import {
  type Forecast,
  forecastOf,
  holds,
  type Made,
  mostLearned,
  sizeOf
} from "../model/forecasts/Forecast.ts"
import { type Ending, play, type Rest } from "../model/forecasts/Rest.ts"
import { chanceOf } from "../model/simulation/Chance.ts"
import { drawn } from "../model/simulation/Posterior.ts"
import { Prices } from "../ports/Prices.ts"
import { PublicHolidays } from "../ports/PublicHolidays.ts"
import { Repository } from "../ports/Repository.ts"
import { makeLearning } from "./Learning.ts"

/** Source: contract, "Limits", max_call_length. */
const longestCall = 3_600
/** Campaigns of which the last forecast is kept. */
const mostKept = 256
/** Campaigns that lines are shared with, as far as a forecast looks. */
const mostBeside = 100

/** Forecasts what is left of running campaigns. One is made at a time, in pieces, so that other requests are answered. */
export const makeForecasting = Effect.gen(function* () {
  const repository = yield* Repository
  const prices = yield* Prices
  const holidaysOf = yield* PublicHolidays
  const store = yield* makeCampaignStore
  const learn = yield* makeLearning
  const turns = yield* Effect.makeSemaphore(1)
  const kept = new Map<string, Made & { readonly forecast: Forecast }>()

  const running = Effect.fnUntraced(function* (workspace_id: string, campaign_id: string) {
    const state = yield* store.load(workspace_id, campaign_id)
    const { channel, status } = state.campaign
    if (channel !== "voice") {
      return yield* new CampaignRefused({ reason: "a campaign of messages has no forecast" })
    }
    return status === "running"
      ? state
      : yield* new CampaignRefused({
          reason: `only a running campaign has a forecast; this one is ${status}`
        })
  })

  const restOf = Effect.fnUntraced(function* ({ campaign }: CampaignState, now: number) {
    const { customer_id, id } = campaign
    const workspace = Option.getOrThrow(yield* repository.workspaces.get(customer_id))
    const agent = yield* repository.agents.get(customer_id, campaign.agent_id)
    const page = { limit: mostBeside, offset: 0 }
    const { data } = yield* repository.campaigns.list(customer_id, { status: "running" }, page)
    const beside = data.filter((other) => other.campaign.channel === "voice" && other.campaign.id !== id)
    const capOf = (each: CampaignState["campaign"]) => each.max_concurrency ?? Infinity
    const call_config = configOf(campaign)
    return {
      now,
      open: yield* repository.recipients.open(customer_id, id),
      call_config,
      holidaysOf,
      lines: linesBeside(
        workspace.max_concurrency,
        capOf(campaign),
        beside.map((other) => capOf(other.campaign))
      ),
      calls_per_second: Math.max(1, Math.floor(workspace.calls_per_second / (beside.length + 1))),
      calls_per_minute: campaign.calls_per_minute,
      credits: yield* repository.credits.balance(customer_id),
      price_per_minute: prices.minute,
      max_call_length:
        call_config.max_call_length ??
        Option.match(agent, { onNone: () => longestCall, onSome: ({ max_call_length }) => max_call_length })
    } satisfies Rest
  })

  const made = Effect.fnUntraced(function* (state: CampaignState) {
    const { customer_id, id } = state.campaign
    const learned = yield* learn(customer_id, { campaign_id: id, since: null }, mostLearned)
    const now = yield* Clock.currentTimeMillis
    const rest = yield* restOf(state, now)
    const { runs, scale } = sizeOf(openOf(state.counters))
    const endings: Array<Ending> = []
    for (let seed = 1; seed <= runs; seed++) {
      const run = play(rest, drawn(learned, seed), chanceOf(seed, "rest", 0), scale)
      for (let step = run.next(); ; step = run.next()) {
        yield* Effect.sleep(0)
        if (step.done === true) {
          endings.push(step.value)
          break
        }
      }
    }
    return { state, at: now, forecast: forecastOf(state, learned, endings, now) }
  })

  /** The forecast that is kept, while it holds; else a new one, after those that are being made. */
  return Effect.fn("Simulations.forecast")(function* (workspace_id: string, campaign_id: string) {
    const find = Effect.gen(function* () {
      const state = yield* running(workspace_id, campaign_id)
      const last = kept.get(campaign_id)
      const now = yield* Clock.currentTimeMillis
      return { state, forecast: last !== undefined && holds(last, state, now) ? last.forecast : null }
    })
    const { forecast } = yield* find
    if (forecast !== null) return forecast
    return yield* turns.withPermits(1)(
      Effect.gen(function* () {
        const { forecast, state } = yield* find
        if (forecast !== null) return forecast
        const next = yield* made(state)
        kept.delete(campaign_id)
        kept.set(campaign_id, next)
        for (const id of kept.keys()) if (kept.size > mostKept) kept.delete(id)
        return next.forecast
      })
    )
  })
})
