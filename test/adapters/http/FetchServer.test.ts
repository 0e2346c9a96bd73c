import { Context, Deferred, Effect, Exit, Layer, Scope } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as FetchServer from "../../../adapters/http/server/FetchServer.ts"

describe("a server without a listener that closes", () => {
  it.live("waits for what is in hand, but not for what cannot be broken off", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const scope = yield* Scope.make()
      const stuck = HttpLayerRouter.add(
        "GET",
        "/stuck",
        Effect.zipRight(Deferred.succeed(begun, undefined), Effect.uninterruptible(Effect.never))
      )
      const app = HttpLayerRouter.serve(stuck, { disableLogger: true, disableListenLog: true }).pipe(
        Layer.provideMerge(FetchServer.layer({ grace: "100 millis" }))
      )
      const { fetch } = Context.get(yield* Layer.buildWithScope(app, scope), FetchServer.FetchHandler)
      void fetch(new Request("http://localhost/stuck"))
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
      const late = yield* Effect.promise(() => fetch(new Request("http://localhost/stuck")))
      assert.strictEqual(late.status, 503)
    })
  )
})
