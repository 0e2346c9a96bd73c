import { Effect, HashMap, Layer, Logger, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import { WebhookInbox } from "../../../adapters/simulated/WebhookInbox.ts"
import { isOpen } from "../../../core/model/calls/CallingWindow.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import { Campaigns } from "../../../core/usecases/Campaigns.ts"
import * as Platform from "../../Platform.ts"
import { withSetBackClock } from "../../SetBackClock.ts"

const hour = 3_600_000
const dialled = Effect.flatMap(CarrierLedger, ({ counts }) => Effect.map(counts, ({ dials }) => dials))

describe("a clock that is set back by an hour", () => {
  it.scoped("stops neither calls that wait nor calls that are placed afterwards", () =>
    withSetBackClock((setBack) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 5, 1, 12))
        const tenant = yield* Platform.tenant({ calls_per_second: 1, max_concurrency: 1_000 })
        for (let n = 0; n < 5; n++) yield* Platform.place(tenant, "0123")
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* dialled, 1)
        yield* setBack(hour)
        for (let n = 0; n < 5; n++) yield* Platform.place(tenant, "0123")
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* dialled, 10)
        yield* TestClock.adjust("10 minutes")
        const { data } = yield* (yield* Calls).list(tenant.workspace.id, {}, { limit: 50, offset: 0 })
        assert.deepStrictEqual(new Set(data.map(({ status }) => status)), new Set(["completed"]))
        const events = yield* (yield* WebhookInbox).entries
        assert.strictEqual(events.length, 30)
      }).pipe(Effect.provide(Platform.layer()))
    )
  )

  it.scoped("wakes a loop that sleeps within a minute", () =>
    withSetBackClock((setBack) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 5, 1, 12))
        const tenant = yield* Platform.tenant()
        yield* Platform.place(tenant, "0010", {
          call_config: { call_retry_config: { retry_count: 1, retry_busy: 7 } }
        })
        yield* TestClock.adjust("1 minute")
        yield* setBack(hour)
        yield* TestClock.adjust("8 minutes")
        assert.strictEqual(yield* dialled, 2)
      }).pipe(Effect.provide(Platform.layer()))
    )
  )

  it.scoped("stops no campaign, with or without a pace of its own, and the pace holds", () =>
    withSetBackClock((setBack) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 5, 1, 12))
        const tenant = yield* Platform.tenant()
        const campaigns = yield* Campaigns
        for (const [at, calls_per_minute] of [null, 10].entries()) {
          const { id } = yield* Platform.campaign(tenant, Platform.callees(100, "0123", at * 1_000), {
            calls_per_minute,
            max_concurrency: 20
          })
          yield* campaigns.start(tenant.workspace.id, id)
        }
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* dialled, 30)
        yield* setBack(hour)
        const before = (yield* (yield* CarrierLedger).dials).length
        yield* TestClock.adjust("59 seconds")
        const paced = (dials: ReadonlyArray<{ readonly to_number: string }>) =>
          dials.filter(({ to_number }) => Platform.callees(100, "0123", 1_000).includes(to_number)).length
        const dials = yield* (yield* CarrierLedger).dials
        assert.isAbove(dials.length, before)
        assert.strictEqual(paced(dials), 10)
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(paced(yield* (yield* CarrierLedger).dials), 30)
        yield* TestClock.adjust("20 minutes")
        const { data } = yield* campaigns.list(tenant.workspace.id, {}, { limit: 50, offset: 0 })
        assert.deepStrictEqual(
          data.map(({ campaign }) => campaign.status),
          ["completed", "completed"]
        )
      }).pipe(Effect.provide(Platform.layer()))
    )
  )

  it.scoped("has no call dialled outside of its window", () =>
    withSetBackClock((setBack) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 5, 1, 7, 30))
        const tenant = yield* Platform.tenant()
        const call_time = { call_start_time: "09:00", call_end_time: "17:00", timezone: "UTC" }
        yield* Platform.place(tenant, "0123", { call_config: { call_time } })
        yield* TestClock.adjust("10 minutes")
        yield* setBack(hour)
        yield* TestClock.adjust("100 minutes")
        assert.strictEqual(yield* dialled, 0)
        yield* TestClock.adjust("40 minutes")
        const [dial] = yield* (yield* CarrierLedger).dials
        assert.isTrue(isOpen(call_time, dial!.at - hour))
      }).pipe(Effect.provide(Platform.layer()))
    )
  )

  it.scoped("is told once in the log, and a drift of less than a second is not", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ annotations, message }) => {
      const line = String(message)
      if (line.includes("clock")) lines.push(`${line} ${HashMap.size(annotations)}`)
    })
    return withSetBackClock((setBack) =>
      Effect.gen(function* () {
        const tenants = yield* Effect.all([Platform.tenant(), Platform.tenant()])
        for (const tenant of tenants)
          yield* Platform.place(tenant, "0001", {
            call_config: { call_retry_config: { retry_count: 9, retry_busy: 60 } }
          })
        yield* TestClock.adjust("5 minutes")
        yield* setBack(900)
        yield* TestClock.adjust("5 minutes")
        assert.deepStrictEqual(lines, [])
        yield* setBack(90_000)
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual(lines.length, 1)
        assert.include(lines[0], "The clock was set back by 90 seconds")
      }).pipe(Effect.provide(Layer.merge(Platform.layer(), Logger.replace(Logger.defaultLogger, logger))))
    )
  })
})
