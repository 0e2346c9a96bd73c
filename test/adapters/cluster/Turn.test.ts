import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { whileLocked } from "../../../adapters/cluster/StartLock.ts"
import { layer as clientLayer } from "../../../adapters/sql/postgres/Client.ts"
import { until } from "../../Until.ts"
import { freshDatabase } from "../sql/PostgresServer.ts"
import { onServer } from "../sql/PostgresSuite.ts"

interface Turns {
  /** Connections that have the lock. */
  readonly taken: number
  /** Connections that asked for it. */
  readonly waiting: number
}

const turns = `with holder as (select pid from pg_locks where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database()))
  select (select count(*)::int from holder) as taken, (select count(*)::int from pg_stat_activity
    where datname = current_database() and application_name = 'outdial cluster' and query like '%advisory_lock(%'
    and pid not in (select pid from holder)) as waiting`

onServer("whileLocked", (running) => {
  it.scopedLive(
    "lets one process after the other do its work, also after one that failed or was stopped",
    () =>
      Effect.gen(function* () {
        const { name, url } = yield* freshDatabase(running())
        const watcher = yield* running().connect(name)
        const seen = Effect.promise(async () => (await watcher.query<Turns>(turns)).rows[0]!)
        const process = <A, E>(work: Effect.Effect<A, E>) =>
          Effect.provide(whileLocked(work), clientLayer(Redacted.make(url)))
        let inside = 0
        let done = 0
        const alone = Effect.acquireUseRelease(
          Effect.sync(() => ++inside),
          (count) => {
            assert.strictEqual(count, 1)
            return Effect.map(seen, ({ taken }) => assert.strictEqual(taken, 1))
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
        yield* until(
          "all others wait",
          Effect.map(seen, ({ waiting }) => waiting === 8)
        )
        assert.strictEqual(done, 0)
        yield* Fiber.interrupt(stopped)
        yield* Fiber.join(all)
        assert.strictEqual(yield* Effect.flip(process(Effect.fail("no"))), "no")
        yield* process(alone)
        assert.strictEqual(done, 9)
      }),
    60_000
  )
})
