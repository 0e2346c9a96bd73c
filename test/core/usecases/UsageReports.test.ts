import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { hour, minute } from "../../../core/model/Codecs.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { UsageReports } from "../../../core/usecases/UsageReports.ts"
import { makeAttempt, makeCall, ws } from "../../contracts/repository/Fixtures.ts"

const now = Date.UTC(2026, 2, 3, 12, 30)
const layer = Layer.provideMerge(UsageReports.layer, MemoryRepository.layer)

describe("the usage of a workspace", () => {
  it.effect("is the same whether an hour was counted before or not, and an hour is counted once", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { attempts, calls, usage } = yield* Repository
      const { report } = yield* UsageReports
      const starts = [-30 * hour, -29 * hour, -5 * hour, -2 * hour, -minute]
      for (const [i, start] of starts.entries()) {
        const call = makeCall(i, { agent_id: i % 2 === 0 ? "a" : "b", campaign_id: i === 0 ? "c" : null })
        yield* calls.insert(call)
        yield* attempts.insert(
          makeAttempt(i, {
            call_id: call.call_id,
            campaign_id: call.campaign_id,
            started_at: now + start,
            outcome: "answered",
            duration_seconds: 90
          })
        )
      }
      const days = yield* report(ws, { by: "day" })
      const row = { attempts: 2, reached: 2, minutes: 3, messages: 0, turns: 0, credits: 0 }
      assert.deepStrictEqual(days.data, [
        { key: "2026-03-02", ...row },
        { key: "2026-03-03", ...row, attempts: 3, reached: 3, minutes: 4.5 }
      ])
      assert.include(days, { from: Date.UTC(2026, 2), until: Date.UTC(2026, 2, 3, 13) })
      assert.deepInclude(days.total, { attempts: 5, minutes: 7.5 })
      assert.lengthOf(yield* usage.hours(ws, 0, now), 3)
      assert.deepStrictEqual(yield* report(ws, { by: "day" }), days)
      yield* TestClock.adjust(24 * hour)
      assert.deepStrictEqual((yield* report(ws, { by: "day" })).data, days.data)
      const agents = yield* report(ws, { by: "agent" })
      assert.deepStrictEqual(
        agents.data.map(({ attempts, key }) => [key, attempts]),
        [
          ["a", 3],
          ["b", 2]
        ]
      )
      const campaigns = yield* report(ws, { by: "campaign", from: Date.UTC(2026, 2, 2) })
      assert.deepStrictEqual(
        campaigns.data.map(({ attempts, key }) => [key, attempts]),
        [
          [null, 4],
          ["c", 1]
        ]
      )
    }).pipe(Effect.provide(layer))
  )

  it.effect("is refused for spans that end before they begin, or are longer than a year", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { report } = yield* UsageReports
      for (const span of [{ from: now + hour, until: now }, { from: 0 }]) {
        assert.strictEqual((yield* Effect.flip(report(ws, { by: "day", ...span }))).field, "from")
      }
    }).pipe(Effect.provide(layer))
  )
})
