import { Clock, Context, Effect, Layer, Option } from "effect"
import { makeCampaignStore } from "../engine/CampaignStore.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import { type CampaignNotFound, CampaignRefused } from "../model/campaigns/CampaignErrors.ts"
import { timezoneOf } from "../model/campaigns/Place.ts"
import type { Forecast } from "../model/forecasts/Forecast.ts"
import { defaultModel } from "../model/simulation/CalleeModel.ts"
import type { Callees, LearnFrom } from "../model/simulation/Learned.ts"
import { beatFor, type Person, type Plan } from "../model/simulation/Plan.ts"
import { likely } from "../model/simulation/Posterior.ts"
import { type Simulation, simulationOf } from "../model/simulation/Simulation.ts"
import { seedsFrom, type SimulationRequest, standardSeeds } from "../model/simulation/SimulationBody.ts"
import { Prices } from "../ports/Prices.ts"
import { Repository } from "../ports/Repository.ts"
import {
  type SimulationTooLong,
  Simulator,
  type SimulatorBusy,
  SimulatorMissing
} from "../ports/Simulator.ts"
import { makeForecasting } from "./Forecasting.ts"
import { makeLearning } from "./Learning.ts"

/** Recipients times seeds that one request may have played. */
export const mostPlayed = 200_000
/** Source: contract, "Limits", max_call_length. */
const longestCall = 3_600
/** Recipients of one slice. */
const slice = 1_000

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const prices = yield* Prices
  const store = yield* makeCampaignStore
  const learn = yield* makeLearning
  const forecast = yield* makeForecasting
  const simulator = yield* Effect.serviceOption(Simulator)

  /** The recipients who are still to be called. */
  const pending = Effect.fnUntraced(function* (workspace_id: string, campaign_id: string) {
    const people: Array<Person> = []
    let after = ""
    for (;;) {
      const found = yield* repository.recipients.after(workspace_id, campaign_id, after, slice)
      for (const { phone_number, status, timezone } of found) {
        if (status === "pending") people.push({ phone_number, timezone: timezoneOf(timezone) })
      }
      if (found.length < slice) return people
      after = found.at(-1)!.id
    }
  })

  const refused = (reason: string) => new CampaignRefused({ reason })

  /** How often it is played: as often as is asked for, or as often as can be. */
  const count = Effect.fnUntraced(function* ({ campaign, counters }: CampaignState, asked: number | null) {
    if (campaign.channel !== "voice") return yield* refused("a campaign of messages cannot be simulated")
    if (counters.pending === 0) return yield* refused("the campaign has no pending recipient")
    const most = Math.floor(mostPlayed / counters.pending)
    if (most >= (asked ?? 1)) return asked ?? Math.min(standardSeeds, most)
    return yield* refused(
      `a simulation may have ${mostPlayed} recipients at most, each counted once for each seed`
    )
  })

  const planOf = Effect.fnUntraced(function* ({ campaign }: CampaignState, request: SimulationRequest) {
    const { customer_id, id } = campaign
    const workspace = Option.getOrThrow(yield* repository.workspaces.get(customer_id))
    const agent = yield* repository.agents.get(customer_id, campaign.agent_id)
    const people = yield* pending(customer_id, id)
    const now = yield* Clock.currentTimeMillis
    const given = request.model
    const by = request.from === null ? null : yield* learn(customer_id, request.from)
    return {
      starts_at: request.starts_at ?? Math.max(now, campaign.scheduled_for ?? 0),
      beat_seconds: beatFor(people.length),
      model: { ...(by === null ? defaultModel : likely(by)), ...given },
      learned: by === null ? null : { by, given },
      workspace: {
        max_concurrency: workspace.max_concurrency,
        calls_per_second: workspace.calls_per_second,
        allowed_countries: workspace.allowed_countries,
        allow_costly_destinations: workspace.allow_costly_destinations
      },
      credits: yield* repository.credits.balance(customer_id),
      price_per_minute: prices.minute,
      max_call_length: Option.match(agent, {
        onNone: () => longestCall,
        onSome: ({ max_call_length }) => max_call_length
      }),
      campaign: {
        call_config: campaign.call_config,
        max_concurrency: campaign.max_concurrency,
        calls_per_minute: campaign.calls_per_minute,
        failure_breaker: campaign.failure_breaker,
        skip_public_holidays: campaign.skip_public_holidays
      },
      people,
      do_not_call: [
        ...(yield* repository.doNotCall.among(
          customer_id,
          people.map(({ phone_number }) => phone_number)
        ))
      ]
    } satisfies Plan
  })

  const simulate: SimulationsShape["simulate"] = Effect.fn("Simulations.simulate")(
    function* (workspace_id, campaign_id, request) {
      const state = yield* store.load(workspace_id, campaign_id)
      const seeds = yield* count(state, request.seeds)
      if (Option.isNone(simulator)) return yield* new SimulatorMissing()
      const plan = yield* planOf(state, request)
      if (plan.people.length === 0) return yield* refused("the campaign has no pending recipient")
      return simulationOf(plan, yield* simulator.value.play(plan, seedsFrom(request.seed, seeds)))
    }
  )

  const callees: SimulationsShape["callees"] = Effect.fn("Simulations.callees")(
    function* (workspace_id, from) {
      const learned = yield* learn(workspace_id, from)
      return { model: likely(learned), learned }
    }
  )

  return Simulations.of({ simulate, callees, forecast })
})

export interface SimulationsShape {
  /**
   * When a running campaign will be done, whom it will have reached and what it will cost yet, by its own calls so far. It
   * is kept until enough has happened.
   */
  readonly forecast: (
    workspace_id: string,
    campaign_id: string
  ) => Effect.Effect<Forecast, CampaignNotFound | CampaignRefused>
  /** How callees behave, by the calls that a workspace has made: the model that is likeliest, and what is behind it. */
  readonly callees: (
    workspace_id: string,
    from: LearnFrom
  ) => Effect.Effect<Callees, CampaignNotFound | CampaignRefused>
  /**
   * Plays what is left of a campaign, whatever its status, from `starts_at` on, with callees that behave as the
   * model says. Nothing is dialled, spent or stored.
   */
  readonly simulate: (
    workspace_id: string,
    campaign_id: string,
    request: SimulationRequest
  ) => Effect.Effect<
    Simulation,
    CampaignNotFound | CampaignRefused | SimulatorMissing | SimulatorBusy | SimulationTooLong
  >
}

/** What would become of campaigns. Where no `Simulator` is provided, nothing can be simulated. */
export class Simulations extends Context.Tag("outdial/Simulations")<Simulations, SimulationsShape>() {
  static readonly layer = Layer.effect(this, make)
}
