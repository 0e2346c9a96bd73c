import { Context, Deferred, Effect, Exit, Fiber, FiberId, Layer, Scope, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import { WebhookInbox } from "../../../adapters/simulated/WebhookInbox.ts"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import * as Platform from "../../Platform.ts"

type Store = Context.Tag.Service<Repository>

/** A process that commits what `notes` takes note of is told to end, just then. */
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
        transaction: (workspaces, work) => Effect.zipLeft(repository.transaction(workspaces, work), tell)
      })
    })
  ).pipe(Layer.provide(MemoryRepository.layer))

/** A store that cannot be read once, for the next round of a loop, after `fail`; `failed` completes then. */
const failing = Effect.gen(function* () {
  const failed = yield* Deferred.make<void>()
  let fails = false
  const get = Effect.suspend(() => {
    if (!fails) return Effect.void
    fails = false
    return Effect.zipRight(
      Deferred.succeed(failed, undefined),
      Effect.die(new StoreUnavailable({ cause: "gone" }))
    )
  })
  const store = Layer.effect(
    Repository,
    Effect.map(Repository, (repository) =>
      Repository.of({
        ...repository,
        workspaces: {
          ...repository.workspaces,
          get: (id) => Effect.zipRight(get, repository.workspaces.get(id))
        }
      })
    )
  ).pipe(Layer.provide(MemoryRepository.layer))
  return { store, failed: Deferred.await(failed), fail: Effect.sync(() => void (fails = true)) }
})

/** A platform whose carrier is dialling a call and does not answer until `answer`. */
const dialling = Effect.fnUntraced(function* (store: Layer.Layer<Repository> = MemoryRepository.layer) {
  const asked = yield* Deferred.make<void>()
  const answered = yield* Deferred.make<void>()
  const journal = () => Effect.zipRight(Deferred.succeed(asked, undefined), Deferred.await(answered))
  const scope = yield* Scope.make()
  const platform = Platform.layerOf({ carrier: { journal, speed: Infinity }, store })
  const running = yield* Layer.buildWithScope(platform, scope)
  const tenant = yield* Effect.provide(Platform.tenant(), running)
  const call = yield* Effect.provide(Platform.place(tenant, "0123"), running)
  yield* Deferred.await(asked)
  const answer = Deferred.succeed(answered, undefined)
  return { running, tenant, call, answer, end: Scope.close(scope, Exit.void) }
})

/** By now the end of the platform, which ends what depends on the loops first, has come to them. */
const told = Effect.repeatN(Effect.yieldNow(), 100)

describe("a loop that is told to end", () => {
  it.live("waits for the carrier's answer to what it is dialling", () =>
    Effect.gen(function* () {
      const { answer, call, end, running } = yield* dialling()
      const ended = yield* Effect.fork(end)
      yield* told
      yield* answer
      yield* Fiber.join(ended)
      const { attempts } = Context.get(running, Repository)
      const [attempt] = yield* attempts.ofCall(call.customer_id, call.call_id)
      assert.isNotNull(attempt!.carrier_call_id)
    })
  )

  it.live("ends, also while it gathers itself after a failure of the store", () =>
    Effect.gen(function* () {
      const { fail, failed, store } = yield* failing
      const { answer, end, running, tenant } = yield* dialling(store)
      yield* fail
      yield* Effect.provide(Platform.place(tenant, "0123"), running)
      yield* failed
      const ended = yield* Effect.fork(end)
      yield* told
      yield* answer
      yield* Fiber.join(ended)
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
            attempts: { ...attempts, insert: (...all) => Effect.zipLeft(attempts.insert(...all), note) }
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
