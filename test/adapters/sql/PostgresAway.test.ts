import { assert, describe, it } from "@effect/vitest"
import { assertSome } from "@effect/vitest/utils"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Layer, Option, Scope } from "effect"
import { Client, Pool } from "pg"
import type { Driver } from "../../../adapters/sql/postgres/Driver.ts"
import { layoutLock } from "../../../adapters/sql/postgres/Pools.ts"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import { makeCall, ws } from "../../contracts/repository/Fixtures.ts"
import * as TcpProxy from "../../TcpProxy.ts"
import { freshDatabase, onUrl } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"

const driver: Driver = { client: (config) => new Client(config), pool: (config) => new Pool(config) }

const settings = { connections: 3, connectTimeout: 5_000, statementTimeout: 10_000, lockTimeout: 5_000 }

onServer("a PostgreSQL server", (running) => {
  const behindProxy = Effect.gen(function* () {
    const { url } = yield* freshDatabase(running())
    const { cut, port } = yield* TcpProxy.make(running().port)
    const through = new URL(url)
    through.port = String(port)
    return { url, through: through.href, cut }
  })

  it.scopedLive("ends what waits well, also where its store is closed by an interruption", () =>
    Effect.gen(function* () {
      const { url } = yield* freshDatabase(running())
      const opened = yield* Deferred.make<Context.Context<Repository>>()
      const owner = yield* Layer.build(onUrl(url)).pipe(
        Effect.flatMap((context) => Deferred.succeed(opened, context)),
        Effect.zipRight(Effect.never),
        Effect.scoped,
        Effect.fork
      )
      const { calls } = Context.get(yield* Deferred.await(opened), Repository)
      const writes = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => n),
        (n) => Effect.fork(calls.insert(makeCall(n)))
      )
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(owner)
      for (const write of writes) assert.isTrue(Exit.isSuccess(yield* Fiber.await(write)))
    })
  )

  describe.concurrent("that says nothing more", () => {
    it.scopedLive(
      "does not keep its store from being closed in time, and what is under way is StoreUnavailable",
      () =>
        Effect.gen(function* () {
          const { cut, through, url } = yield* behindProxy
          const scope = yield* Scope.make()
          const built = yield* Layer.buildWithScope(onUrl(through), scope)
          const { calls } = Context.get(built, Repository)
          yield* calls.insert(makeCall(1))
          yield* calls.get(ws, "call_000001")
          yield* cut
          const write = yield* Effect.fork(calls.insert(makeCall(2)))
          yield* Effect.yieldNow()
          const closed = yield* Effect.timeoutOption(
            Effect.disconnect(Effect.uninterruptible(Scope.close(scope, Exit.void))),
            "5 seconds"
          )
          assert.isTrue(Option.isSome(closed))
          const exit = yield* Fiber.await(write)
          assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable)
          const after = Context.get(yield* Layer.build(onUrl(url)), Repository)
          assertSome(yield* after.calls.get(ws, "call_000001"), makeCall(1))
        }),
      30_000
    )

    it.scopedLive(
      "gives the lock of the layout to another process, and the one before knows that it has lost it",
      () =>
        Effect.gen(function* () {
          const { cut, through, url } = yield* behindProxy
          const { lost } = yield* layoutLock(driver, { ...settings, url: through })
          yield* cut
          const first = yield* Effect.fork(Effect.flip(lost))
          const { calls } = Context.get(yield* Layer.build(onUrl(url)), Repository)
          yield* calls.insert(makeCall(1))
          assert.instanceOf(
            Option.getOrUndefined(yield* Fiber.poll(first))?.pipe(Exit.getOrElse(() => undefined)),
            StoreUnavailable
          )
        }),
      30_000
    )
  })
})
