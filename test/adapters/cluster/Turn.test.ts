import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { inTurn } from "../../../adapters/cluster/Turn.ts"
import { layer as clientLayer } from "../../../adapters/sql/postgres/Client.ts"
import { freshDatabase } from "../sql/PostgresServer.ts"
import { onServer } from "../sql/PostgresSuite.ts"

onServer("inTurn", (running) => {
  it.scopedLive(
    "lets one process after the other do its work, also after one that failed or was stopped",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const process = <A, E>(work: Effect.Effect<A, E>) =>
          Effect.provide(inTurn(work), clientLayer(Redacted.make(url)))
        let inside = 0
        let done = 0
        const alone = Effect.acquireUseRelease(
          Effect.sync(() => ++inside),
          (count) => {
            assert.strictEqual(count, 1)
            return Effect.sleep("5 millis")
          },
          () =>
            Effect.sync(() => {
              inside -= 1
              done += 1
            })
        )
        const entered = yield* Deferred.make<void>()
        const stopped = yield* Effect.fork(
          process(Effect.zipRight(Deferred.succeed(entered, undefined), Effect.never))
        )
        yield* Deferred.await(entered)
        const all = yield* Effect.fork(
          Effect.forEach(Array.from({ length: 8 }), () => process(alone), { concurrency: "unbounded" })
        )
        yield* Effect.sleep("100 millis")
        assert.strictEqual(done, 0)
        yield* Fiber.interrupt(stopped)
        yield* Fiber.join(all)
        assert.strictEqual(yield* Effect.flip(process(Effect.fail("no"))), "no")
        yield* process(alone)
        assert.strictEqual(done, 9)
      })
  )
})
