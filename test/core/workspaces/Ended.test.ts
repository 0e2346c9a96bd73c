import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, FiberId, Layer, Scope, TestClock } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { WebhookInbox } from "../../../adapters/memory/WebhookSink.ts"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import * as Platform from "../../Platform.ts"

type Store = Context.Tag.Service<Repository>

/** Whoever commits what `notes` takes note of is told to end, just then. */
const ending = (notes: (repository: Store, note: Effect.Effect<void>) => Partial<Store>) =>
  Layer.effect(
    Repository,
    Effect.map(Repository, (repository) => {
      let noted = false
      const note = Effect.sync(() => void (noted = true))
      const tell = Effect.withFiberRuntime<void>((fiber) => {
        if (noted) fiber.unsafeInterruptAsFork(FiberId.none)
        noted = false
        return Effect.void
      })
      return Repository.of({
        ...repository,
        ...notes(repository, note),
        transaction: (work) => Effect.zipLeft(repository.transaction(work), tell)
      })
    })
  ).pipe(Layer.provide(MemoryRepository.layer))

describe("a loop that is told to end", () => {
  it.live("waits for the carrier's answer to what it is dialling", () =>
    Effect.gen(function* () {
      const dialling = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<void>()
      const journal = () => Effect.zipRight(Deferred.succeed(dialling, undefined), Deferred.await(answer))
      const scope = yield* Scope.make()
      const running = yield* Layer.buildWithScope(Platform.layer({ journal, speed: Infinity }), scope)
      const { attempts } = Context.get(running, Repository)
      const { call_id, customer_id } = yield* Effect.provide(
        Effect.flatMap(Platform.tenant(), (tenant) => Platform.place(tenant, "0123")),
        running
      )
      yield* Deferred.await(dialling)
      const end = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(answer, undefined)
      yield* Fiber.join(end)
      const [attempt] = yield* attempts.ofCall(customer_id, call_id)
      assert.isNotNull(attempt!.carrier_call_id)
    })
  )

  it.scoped("still dials what it has committed to", () =>
    Effect.gen(function* () {
      yield* Platform.place(yield* Platform.tenant(), "0123")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* (yield* CarrierLedger).counts).dials, 1)
    }).pipe(
      Effect.provide(
        Platform.layerOf({
          store: ending(({ attempts }, note) => ({
            attempts: { ...attempts, insert: (attempt) => Effect.zipLeft(attempts.insert(attempt), note) }
          }))
        })
      )
    )
  )

  it.scoped("still delivers what it has claimed", () =>
    Effect.gen(function* () {
      yield* Platform.place(yield* Platform.tenant(), "0123")
      yield* TestClock.adjust("30 seconds")
      assert.isNotEmpty(yield* (yield* WebhookInbox).entries)
    }).pipe(
      Effect.provide(
        Platform.layerOf({
          store: ending(({ deliveries }, note) => ({
            deliveries: {
              ...deliveries,
              claim: (...args) => Effect.zipLeft(deliveries.claim(...args), note)
            }
          }))
        })
      )
    )
  )
})
