import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { platformOf } from "../../../apps/simulation/Engine.ts"
import type { Forecast } from "../../../core/model/forecasts/Forecast.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import { type CalleeModel, defaultModel, type Rates } from "../../../core/model/simulation/CalleeModel.ts"
import { chanceOf, dirichlet } from "../../../core/model/simulation/Chance.ts"
import type { Plan } from "../../../core/model/simulation/Plan.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Log } from "../../../core/simulation/Log.ts"
import * as SimulatedRun from "../../../core/simulation/SimulatedRun.ts"
import { Simulations } from "../../../core/usecases/Simulations.ts"

const first = { limit: 1, offset: 0 }
const starts_at = Date.UTC(2026, 1, 3, 9)

/** A campaign, and callees who are known: each case has its own. */
const caseOf = (n: number): { readonly plan: Plan; readonly share: number } => {
  const chance = chanceOf(n, "case", 0)
  const among = <A>(...values: ReadonlyArray<A>): A => values[Math.floor(chance() * values.length)]!
  const [answered, voicemail, no_answer, busy, failed] = dirichlet(chance, [3, 2, 4, 1, 0.3])
  const rates = { answered, voicemail, no_answer, busy, failed } as Rates
  const model: CalleeModel = {
    ...defaultModel,
    rates: [rates],
    talk: { median_seconds: 20 + Math.round(chance() * 160), spread: 0.3 + chance() * 0.7 },
    ring_seconds: 20 + Math.round(chance() * 30),
    retry: { ...defaultModel.retry, answered: 0.5 + chance() * 0.7 }
  }
  const call_config = {
    call_retry_config: { retry_count: among(0, 1, 2), retry_busy: 5, retry_not_picked: among(10, 30, 90) },
    ...(among(true, false) && {
      call_time: { call_start_time: "09:00", call_end_time: among("10:00", "18:00"), timezone: "UTC" }
    })
  }
  return {
    share: 0.3 + chance() * 0.4,
    plan: {
      starts_at,
      beat_seconds: 1,
      model,
      learned: null,
      credits: null,
      price_per_minute: 1,
      max_call_length: 600,
      people: Array.from({ length: 20 + Math.floor(chance() * 25) }, (_, i) => ({
        phone_number: `+1415555${1_000 + i}`,
        timezone: null
      })),
      do_not_call: [],
      workspace: {
        max_concurrency: 50,
        calls_per_second: 10,
        allowed_countries: [],
        allow_costly_destinations: false
      },
      campaign: {
        call_config: RawJson(JSON.stringify(call_config)),
        max_concurrency: among(2, 3, 5, 8),
        failure_breaker: RawJson('{"share":1}'),
        calls_per_minute: among(null, null, 4),
        skip_public_holidays: false
      }
    }
  }
}

/** Plays a campaign by the engine; when so many of its recipients are done, its forecast is made. */
const foreseen = Effect.fnUntraced(function* ({ plan, share }: ReturnType<typeof caseOf>, seed: number) {
  const made: Array<Forecast> = []
  const watch = Effect.gen(function* () {
    const { campaigns, workspaces } = yield* Repository
    const { forecast } = yield* Simulations
    for (;;) {
      yield* Effect.sleep("20 seconds")
      const [workspace] = (yield* workspaces.list(first)).data
      const [state] = workspace === undefined ? [] : (yield* campaigns.list(workspace.id, {}, first)).data
      const { completed, failed } = state?.counters ?? { completed: 0, failed: 0 }
      if (state === undefined || completed + failed < share * plan.people.length) continue
      return void made.push(yield* forecast(state.campaign.customer_id, state.campaign.id))
    }
  })
  const run = yield* SimulatedRun.play(plan, seed, new Log(plan.starts_at), (callees) =>
    Layer.provideMerge(Layer.scopedDiscard(Effect.forkScoped(Effect.orDie(watch))), platformOf(plan)(callees))
  )
  return { run, forecast: made[0]! }
})

const cases = 50

describe("a forecast", () => {
  it.live(
    "has the true end, and the number of those reached, in its band of 80 % in about 80 % of the cases",
    () =>
      Effect.gen(function* () {
        const inside = { end: 0, reached: 0 }
        const within = ({ p10, p90 }: { readonly p10: number; readonly p90: number }, value: number) =>
          value >= p10 && value <= p90 ? 1 : 0
        for (let n = 1; n <= cases; n++) {
          const { forecast, run } = yield* foreseen(caseOf(n), n)
          assert.deepStrictEqual([run.status, forecast.completed_share], ["completed", 1])
          inside.end += within(forecast.finishes_at!, run.ended_at)
          inside.reached += within(forecast.reached, run.stats.answered)
        }
        for (const [name, count] of Object.entries(inside)) {
          assert.isAtLeast(count, 0.7 * cases, name)
          assert.isAtMost(count, 0.9 * cases, name)
        }
      }),
    { timeout: 240_000 }
  )
})
