import { Cause, Context, Effect, Exit, Layer, Logger, Option, TestClock } from "effect"
import { assert, it } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import type { Calls } from "../../../core/usecases/Calls.ts"
import { makeCall, ws } from "../../contracts/repository/Fixtures.ts"
import * as Platform from "../../Platform.ts"
import { proxyTo } from "./PostgresProxy.ts"
import { freshDatabase, onUrl } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"

const count = 30

/** Places a call as a client does that sends its request again after each 503. */
const place = (tenant: Platform.Tenant, n: number): Effect.Effect<string, never, Calls> =>
  Platform.place(tenant, "0123", { idempotency_key: `order-${n}` }).pipe(
    Effect.map(({ call_id }) => call_id),
    Effect.catchTag("DuplicateKey", ({ call_id }) => Effect.succeed(call_id)),
    Effect.orDie,
    Effect.catchSomeDefect((defect) =>
      defect instanceof StoreUnavailable ? Option.some(Effect.suspend(() => place(tenant, n))) : Option.none()
    )
  )

onServer("commits that get lost on the way", (running) => {
  const behind = (lose: Parameters<typeof proxyTo>[1]) =>
    Effect.gen(function* () {
      const { url } = yield* freshDatabase(running())
      const { lost, port } = yield* proxyTo(running().port, lose)
      const through = new URL(url)
      through.port = String(port)
      return { lost, url: through.href }
    })

  it.scoped("are StoreUnavailable, whether or not they happened, and what comes after goes on", () =>
    Effect.gen(function* () {
      let next: "answer" | "commit" | undefined
      const { url } = yield* behind(() => next)
      const { calls } = Context.get(yield* Layer.build(onUrl(url)), Repository)
      const attempt = (n: number, loss: typeof next) => {
        next = loss
        return Effect.exit(calls.insert(makeCall(n)))
      }
      assert.isTrue(Exit.isSuccess(yield* attempt(1, undefined)))
      for (const exit of [yield* attempt(2, "answer"), yield* attempt(3, "commit")]) {
        assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable)
      }
      assert.isTrue(Exit.isSuccess(yield* attempt(4, undefined)))
      assertSome(yield* calls.get(ws, "call_000002"), makeCall(2))
      assertNone(yield* calls.get(ws, "call_000003"))
      assertSome(yield* calls.get(ws, "call_000004"), makeCall(4))
    })
  )

  it.scoped("dial no number twice, and lose no call that was stored", () =>
    Effect.gen(function* () {
      let losing = false
      const { lost, url } = yield* behind((nth) => {
        if (!losing || nth % 3 !== 0) return undefined
        return nth % 2 === 0 ? "answer" : "commit"
      })
      yield* Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        losing = true
        const placed = yield* Effect.forEach(
          Array.from({ length: count }, (_, n) => n),
          (n) => place(tenant, n),
          { concurrency: 8 }
        )
        const { calls } = yield* Repository
        // So slowly that no commit takes as long as an intent may be old.
        const ended = Effect.zipRight(
          TestClock.adjust("100 millis"),
          calls.list(tenant.workspace.id, { status: "completed" }, { limit: count, offset: 0 })
        )
        const { data } = yield* Effect.repeat(ended, {
          until: ({ total }) => {
            losing = lost.answer < 5 || lost.commit < 5
            return total === count
          }
        })
        assert.deepStrictEqual(data.map(({ call_id }) => call_id).toSorted(), placed.toSorted())
        assert.isAbove(lost.answer, 2)
        assert.isAbove(lost.commit, 2)
        const dials = yield* Effect.flatMap(CarrierLedger, (ledger) => ledger.dials)
        assert.strictEqual(new Set(dials.map(({ key }) => key)).size, dials.length)
      }).pipe(
        Effect.provide(Platform.layerOf({ carrier: { speed: Infinity }, store: Layer.orDie(onUrl(url)) }))
      )
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  )
})
