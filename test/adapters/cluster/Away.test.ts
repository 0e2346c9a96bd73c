import { assert, describe, it } from "@effect/vitest"
import { assertSome } from "@effect/vitest/utils"
import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Logger, Option, Redacted, Scope } from "effect"
import { whileLocked } from "../../../adapters/cluster/StartLock.ts"
import { layer as clientLayer } from "../../../adapters/sql/postgres/Client.ts"
import * as TcpProxy from "../../TcpProxy.ts"
import { freshDatabase } from "../sql/PostgresServer.ts"
import { onServer } from "../sql/PostgresSuite.ts"
import * as Members from "./Members.ts"

/** Less than what a process has from SIGTERM on, of which other parts need theirs. */
const soon = "7 seconds"

const onUrl = <A, E>(url: string, work: Effect.Effect<A, E, SqlClient>) =>
  Effect.provide(work, clientLayer(Redacted.make(url)))

onServer("a process", (running) => {
  /** A database, and a way to it that can be cut, or be gone. */
  const behindProxy = Effect.gen(function* () {
    const { url } = yield* freshDatabase(running())
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const { cut, port } = yield* Scope.extend(TcpProxy.make(running().port), scope)
    const through = new URL(url)
    through.port = String(port)
    return { url, through: through.href, cut, gone: Scope.close(scope, Exit.void) }
  })

  /** As at the end of a process, which nothing interrupts. */
  const leavesSoon = ({ leave }: Effect.Effect.Success<ReturnType<typeof Members.join>>) =>
    Effect.map(Effect.timeoutOption(Effect.disconnect(Effect.uninterruptible(leave)), soon), (left) =>
      assert.isTrue(Option.isSome(left))
    )

  describe.concurrent("whose database", () => {
    it.scopedLive(
      "is gone leaves the cluster in time, without a message",
      () =>
        Effect.gen(function* () {
          const { gone, through } = yield* behindProxy
          const noticed = yield* Deferred.make<void>()
          const logger = Logger.make(({ message }) => {
            if (String(message).includes("Shard lock storage is unhealthy")) {
              Deferred.unsafeDone(noticed, Exit.void)
            }
          })
          const member = yield* Effect.provide(
            Members.join(through, "member", Members.makeBook()),
            Logger.replace(Logger.defaultLogger, logger)
          )
          yield* gone
          yield* Deferred.await(noticed)
          yield* leavesSoon(member)
        }),
      30_000
    )

    it.scopedLive(
      "says nothing more leaves the cluster in time",
      () =>
        Effect.gen(function* () {
          const { cut, through } = yield* behindProxy
          const member = yield* Members.join(through, "member", Members.makeBook())
          yield* cut
          yield* leavesSoon(member)
        }),
      30_000
    )

    it.scopedLive(
      "says nothing more uses another connection, once an answer has not come",
      () =>
        Effect.gen(function* () {
          const { cut, through } = yield* behindProxy
          const context = yield* Layer.build(clientLayer(Redacted.make(through)))
          const ask = Context.get(context, SqlClient)`select 1 as one`
          yield* ask
          yield* cut
          assert.isTrue(Exit.isFailure(yield* Effect.exit(ask)))
          // One that is about to be closed may be lent once more, and fails at once.
          const found = yield* Effect.timeoutOption(Effect.eventually(ask), "2 seconds")
          assertSome(found, [{ one: 1 }])
        }),
      30_000
    )

    it.scopedLive(
      "says nothing more stops what it did in its turn, before another has that",
      () =>
        Effect.gen(function* () {
          const { cut, through, url } = yield* behindProxy
          const entered = yield* Deferred.make<void>()
          const ended: Array<string> = []
          const first = yield* Deferred.succeed(entered, undefined).pipe(
            Effect.zipRight(Effect.never),
            Effect.ensuring(Effect.sync(() => ended.push("first"))),
            (work) => onUrl(through, whileLocked(work)),
            Effect.fork
          )
          yield* Deferred.await(entered)
          yield* cut
          yield* onUrl(url, whileLocked(Effect.sync(() => ended.push("second"))))
          assert.deepStrictEqual(ended, ["first", "second"])
          assert.isTrue(Exit.isFailure(yield* Fiber.await(first)))
        }),
      30_000
    )
  })
})
