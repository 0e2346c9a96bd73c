import { Clock, Effect, Layer, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import { makeTransitions } from "../../../core/engine/Transitions.ts"
import { Ids } from "../../../core/ports/Ids.ts"
import { RecordingLinks } from "../../../core/ports/RecordingLinks.ts"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import * as Platform from "../../Platform.ts"

/** How long the store is away, in seconds: less than a dial that was never sent is left alone. */
const away = 5

/**
 * A store that goes away right after the first intent to dial is committed. `lost`: the answer to that commit never
 * comes, so that the intent is never sent.
 */
const goingAway = (lost: boolean) =>
  Layer.effect(
    Repository,
    Effect.map(Repository, (repository) => {
      let intended = false
      let back: number | null = null
      const gone = Effect.die(new StoreUnavailable({ cause: "away" }))
      const guard = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => (back !== null && now < back ? gone : work))
      return Repository.of({
        ...repository,
        attempts: {
          ...repository.attempts,
          insert: (...all) =>
            Effect.tap(repository.attempts.insert(...all), () => Effect.sync(() => (intended = true)))
        },
        calls: {
          ...repository.calls,
          live: (...page) => guard(repository.calls.live(...page))
        },
        transaction: (workspaces, work) =>
          guard(repository.transaction(workspaces, work)).pipe(
            Effect.tap(() =>
              Effect.flatMap(Clock.currentTimeMillis, (now) => {
                if (!intended || back !== null) return Effect.void
                back = now + away * 1_000
                return lost ? gone : Effect.void
              })
            )
          )
      })
    })
  ).pipe(Layer.provide(MemoryRepository.layer))

describe("a store that goes away between the intent to dial and the dial", () => {
  it.scoped("has what was never sent dialled once the carrier has told so, not minutes later", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      yield* Platform.place(tenant, "0123")
      const ledger = yield* CarrierLedger
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual((yield* ledger.counts).dials, 1)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* ledger.counts).dials, 1)
    }).pipe(Effect.provide(Platform.layerOf({ store: goingAway(true) })))
  )
})

describe("a store that goes away while a call is dialled", () => {
  it.scoped("has what did not reach the carrier dialled again as soon as it is back", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const ledger = yield* CarrierLedger
      yield* ledger.fail("unreachable")
      const { call_id } = yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("2 seconds")
      yield* ledger.recover
      yield* TestClock.adjust("18 seconds")
      const { dials, lookups } = yield* ledger.counts
      assert.deepStrictEqual({ dials, lookups }, { dials: 1, lookups: 0 })
      yield* TestClock.adjust("10 minutes")
      const call = yield* (yield* Calls).get(tenant.workspace.id, call_id)
      assert.deepStrictEqual([call.status, call.attempt_count], ["completed", 1])
    }).pipe(Effect.provide(Platform.layerOf({ store: goingAway(false) })))
  )
})

const links = Layer.succeed(RecordingLinks, {
  make: (_, now) => ({ url: "https://example.com", expires_at: now }),
  judge: () => "forged"
})

describe("a dial that was put back and made again by its key", () => {
  it.scoped("is not put back for what is known late of the one before", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { attempts, calls } = yield* Repository
      const ledger = yield* CarrierLedger
      yield* ledger.fail("unreachable")
      const { call_id } = yield* Platform.place(tenant, "0008")
      const workspace_id = tenant.workspace.id
      const latest = Effect.gen(function* () {
        const call = yield* Effect.flatten(calls.get(workspace_id, call_id))
        const attempt = yield* Effect.flatten(attempts.get(workspace_id, call.attempt_id!))
        return { call, attempt }
      })
      yield* TestClock.adjust("100 millis")
      const { attempt } = yield* latest
      assert.strictEqual(attempt.status, "scheduled")
      yield* ledger.recover
      yield* TestClock.adjust("5 seconds")
      const before = yield* latest
      assert.deepStrictEqual([before.call.phase, before.attempt.id], ["live", attempt.id])
      const { putBack } = yield* makeTransitions
      yield* putBack({ workspace_id, call_id, key: attempt.id, intended_at: attempt.started_at! })
      assert.deepStrictEqual(yield* latest, before)
    }).pipe(Effect.provide(Layer.mergeAll(Platform.layer(), Ids.layer, links)))
  )
})
