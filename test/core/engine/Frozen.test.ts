import { Effect, Layer, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import * as Platform from "../../Platform.ts"

/** A store whose process freezes for `seconds` right after the first intent to dial is committed. */
const freezing = (seconds: number) =>
  Layer.effect(
    Repository,
    Effect.map(Repository, (repository) => {
      let intended = false
      let frozen = false
      return Repository.of({
        ...repository,
        attempts: {
          ...repository.attempts,
          insert: (...all) =>
            Effect.tap(repository.attempts.insert(...all), () => Effect.sync(() => (intended = true)))
        },
        transaction: (workspaces, work) =>
          Effect.tap(repository.transaction(workspaces, work), () => {
            if (!intended || frozen) return Effect.void
            frozen = true
            return Effect.sleep(seconds * 1_000)
          })
      })
    })
  ).pipe(Layer.provide(MemoryRepository.layer))

const outcomeAfter = (seconds: number) =>
  Effect.gen(function* () {
    const tenant = yield* Platform.tenant()
    const { call_id } = yield* Platform.place(tenant, "0123")
    const ledger = yield* CarrierLedger
    yield* TestClock.adjust(`${seconds} seconds`)
    const early = yield* ledger.counts
    yield* TestClock.adjust("10 minutes")
    const call = yield* (yield* Calls).get(tenant.workspace.id, call_id)
    return { early: early.dials, ...(yield* ledger.counts), status: call.status, tries: call.attempt_count }
  }).pipe(Effect.provide(Platform.layerOf({ store: freezing(seconds) })))

describe("a process that freezes between the intent to dial and the dial", () => {
  it.scoped("dials when it was for a moment", () =>
    Effect.gen(function* () {
      const { dials, lookups, status, tries } = yield* outcomeAfter(5)
      assert.deepStrictEqual(
        { dials, lookups, status, tries },
        { dials: 1, lookups: 0, status: "completed", tries: 1 }
      )
    })
  )

  it.scoped("asks the carrier first when it was for so long that another may have dialled", () =>
    Effect.gen(function* () {
      const { dials, early, lookups, status, tries } = yield* outcomeAfter(15)
      assert.strictEqual(early, 0)
      assert.isAbove(lookups, 0)
      assert.deepStrictEqual({ dials, status, tries }, { dials: 1, status: "completed", tries: 1 })
    })
  )

  it.scoped("asks again when the carrier cannot be reached as long as it cannot", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { call_id } = yield* Platform.place(tenant, "0123")
      const ledger = yield* CarrierLedger
      yield* ledger.fail("unreachable")
      yield* TestClock.adjust("27 seconds")
      yield* ledger.recover
      yield* TestClock.adjust("10 minutes")
      const { outcome, sub_status } = yield* (yield* Calls).get(tenant.workspace.id, call_id)
      assert.deepStrictEqual([outcome, sub_status], ["answered", "user_hangup"])
      assert.strictEqual((yield* ledger.counts).dials, 1)
    }).pipe(Effect.provide(Platform.layerOf({ store: freezing(25) })))
  )
})
