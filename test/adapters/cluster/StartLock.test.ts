import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { whileLocked } from "../../../adapters/cluster/StartLock.ts"
import { layer as clientLayer } from "../../../adapters/sql/postgres/Client.ts"
import * as TcpProxy from "../../TcpProxy.ts"
import { freshDatabase } from "../sql/PostgresServer.ts"
import { onServer } from "../sql/PostgresSuite.ts"

/** How many connections have the lock. */
const holders = `select count(*)::int as count from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())`

onServer("whileLocked", (running) => {
  it.scopedLive(
    "lets one process after the other do its work, also after one that failed or was stopped",
    () =>
      Effect.gen(function* () {
        const { name, url } = yield* freshDatabase(running())
        const watcher = yield* running().connect(name)
        const taken = Effect.promise(
          async () => (await watcher.query<{ readonly count: number }>(holders)).rows[0]!.count
        )
        const asking = new Set<TcpProxy.Pair>()
        const allAsk = yield* Deferred.make<void>()
        const { port } = yield* TcpProxy.make(running().port, {
          sent: (data, pair) => {
            if (data.includes("advisory_lock(") && asking.add(pair).size === 9) {
              Deferred.unsafeDone(allAsk, Effect.void)
            }
            return true
          }
        })
        const through = new URL(url)
        through.port = String(port)
        const process = <A, E>(work: Effect.Effect<A, E>) =>
          Effect.provide(whileLocked(work), clientLayer(Redacted.make(through.href)))
        let inside = 0
        let done = 0
        const alone = Effect.acquireUseRelease(
          Effect.sync(() => ++inside),
          (count) => {
            assert.strictEqual(count, 1)
            return Effect.map(taken, (count) => assert.strictEqual(count, 1))
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
        yield* Deferred.await(allAsk)
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
