import { assert, describe, it } from "@effect/vitest"
import { Chunk, Context, Effect, Exit, Fiber, Layer, Queue, Scope, Stream, TestClock } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import * as SignedLinks from "../../../adapters/recordings/SignedLinks.ts"
import { CarrierReports, relay } from "../../../core/engine/CarrierReports.ts"
import { Dispatcher } from "../../../core/ports/Dispatcher.ts"
import { Ids } from "../../../core/ports/Ids.ts"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import * as Platform from "../../Platform.ts"

const progress = [{ workspace_id: "ws_1", key: "att_1", progress: { _tag: "Ringing" as const, at: 0 } }]

const recordingIn = (repository: Layer.Layer<Repository>) =>
  CarrierReports.recording.pipe(
    Layer.provide(
      Layer.mergeAll(
        repository,
        SignedLinks.layer(),
        Ids.layer,
        Layer.succeed(Dispatcher, { wake: () => Effect.void })
      )
    )
  )
const recording = recordingIn(MemoryRepository.layer)

describe("the reports of carriers", () => {
  it.scoped("wait until there is what stores them, and wait again once it is released", () =>
    Effect.gen(function* () {
      const reports = yield* CarrierReports
      const early = yield* Effect.fork(reports.record(progress))
      yield* TestClock.adjust("1 hour")
      assert.isTrue(early.unsafePoll() === null)
      for (let life = 0; life < 2; life++) {
        const scope = yield* Scope.make()
        yield* Layer.buildWithScope(recording, scope)
        if (life === 0) yield* Fiber.join(early)
        yield* reports.record(progress)
        yield* Scope.close(scope, Exit.void)
        const late = yield* Effect.fork(reports.record(progress))
        yield* TestClock.adjust("1 hour")
        assert.isTrue(late.unsafePoll() === null)
        yield* Fiber.interrupt(late)
      }
    }).pipe(Effect.provide(CarrierReports.layer))
  )

  it.scoped("that are under way are stored before the release is over", () =>
    Effect.gen(function* () {
      const reports = yield* CarrierReports
      const asked = yield* Effect.makeLatch()
      const goes = yield* Effect.makeLatch()
      const slow = Layer.map(MemoryRepository.layer, (context) => {
        const repository = Context.get(context, Repository)
        const transaction: Repository["Type"]["transaction"] = (workspaces, work) =>
          Effect.zipRight(Effect.zipRight(asked.open, goes.await), repository.transaction(workspaces, work))
        return Context.make(Repository, { ...repository, transaction })
      })
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(recordingIn(slow), scope)
      const report = yield* Effect.fork(reports.record(progress))
      yield* asked.await
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("1 hour")
      assert.isTrue(closing.unsafePoll() === null)
      yield* goes.open
      yield* Fiber.join(report)
      yield* Fiber.join(closing)
    }).pipe(Effect.provide(CarrierReports.layer))
  )

  it.scoped("of a stream are kept while the store is away, and come in their order once it is back", () =>
    Effect.gen(function* () {
      const heard = yield* Queue.unbounded<number>()
      const stored: Array<number> = []
      let tries = 0
      let away = true
      yield* relay(Stream.fromQueue(heard), (chunk) =>
        Effect.suspend(() => {
          tries += 1
          if (away) return Effect.die(new StoreUnavailable({ cause: "away" }))
          stored.push(...chunk)
          return Effect.void
        })
      )
      yield* Queue.offer(heard, 1)
      yield* TestClock.adjust("1 second")
      yield* Queue.offerAll(heard, [2, 3])
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(stored, [])
      assert.isAbove(tries, 10)
      away = false
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(stored, [1, 2, 3])
    })
  )

  it.scoped("of a stream that cannot be stored for another reason hold up none that follow", () =>
    Effect.gen(function* () {
      const stored: Array<number> = []
      yield* relay(Stream.make(1, 2, 3).pipe(Stream.rechunk(1)), (chunk) =>
        Chunk.unsafeGet(chunk, 0) === 2
          ? Effect.die(new Error("broken"))
          : Effect.sync(() => void stored.push(...chunk))
      )
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(stored, [1, 3])
    })
  )

  it.scoped("wake the workspaces in which something has changed, and no others", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(Platform.layer())
      const woken: Array<string> = []
      const own = yield* Layer.build(
        CarrierReports.recording.pipe(
          Layer.provideMerge(CarrierReports.layer),
          Layer.provide(
            Layer.mergeAll(
              Ids.layer,
              SignedLinks.layer(),
              Layer.succeed(Dispatcher, { wake: (id) => Effect.sync(() => void woken.push(id)) })
            )
          ),
          Layer.provide(Layer.succeedContext(context))
        )
      )
      const tenant = yield* Effect.provide(Platform.tenant(), context)
      const call = yield* Effect.provide(Platform.place(tenant, "0008"), context)
      yield* TestClock.adjust("1 second")
      const [attempt] = yield* Context.get(context, Repository).attempts.ofCall(
        call.customer_id,
        call.call_id
      )
      const rings = [
        { workspace_id: call.customer_id, key: attempt!.id, progress: { _tag: "Ringing" as const, at: 0 } },
        { workspace_id: call.customer_id, key: "att_unknown", progress: { _tag: "Ringing" as const, at: 0 } },
        { workspace_id: "ws_unknown", key: attempt!.id, progress: { _tag: "Ringing" as const, at: 0 } }
      ]
      const reports = Context.get(own, CarrierReports)
      yield* reports.record(rings)
      assert.deepStrictEqual(woken, [call.customer_id])
      yield* reports.record(rings)
      assert.deepStrictEqual(woken, [call.customer_id])
    })
  )
})
