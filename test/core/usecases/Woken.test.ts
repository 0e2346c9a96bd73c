import { Deferred, Effect, Fiber, Layer, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import * as Platform from "../../Platform.ts"

/** A disk that takes its time once: the first unit after `slow` is stored, and answered when the test says so. */
const onSlowDisk = Effect.gen(function* () {
  const stored = yield* Deferred.make<void>()
  const flushed = yield* Deferred.make<void>()
  let slow = false
  const store = Layer.effect(
    Repository,
    Effect.map(Repository, (repository) =>
      Repository.of({
        ...repository,
        transaction: (workspaces, work) =>
          Effect.suspend(() => {
            const whole = repository.transaction(workspaces, work)
            if (!slow) return whole
            slow = false
            const wait = Effect.zipRight(Deferred.succeed(stored, undefined), Deferred.await(flushed))
            return Effect.uninterruptible(Effect.zipLeft(whole, wait))
          })
      })
    )
  ).pipe(Layer.provide(MemoryRepository.layer))
  const begin = Effect.sync(() => {
    slow = true
  })
  return { store, begin, stored, flushed }
})

describe("a call whose client leaves while it is stored", () => {
  it.scoped("is dialled all the same", () =>
    Effect.gen(function* () {
      const { begin, flushed, store, stored } = yield* onSlowDisk
      yield* Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        yield* begin
        const placing = yield* Effect.fork(Platform.place(tenant, "0123"))
        yield* Deferred.await(stored)
        const leaving = yield* Effect.fork(Fiber.interrupt(placing))
        yield* Effect.yieldNow()
        yield* Deferred.succeed(flushed, undefined)
        yield* Fiber.join(leaving)
        yield* TestClock.adjust("1 minute")
        const [call] = (yield* (yield* Calls).list(tenant.workspace.id, {}, { limit: 10, offset: 0 })).data
        assert.strictEqual(call?.status, "completed")
        assert.strictEqual((yield* (yield* CarrierLedger).counts).dials, 1)
      }).pipe(Effect.provide(Platform.layerOf({ store })))
    })
  )
})
