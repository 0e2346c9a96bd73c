import { Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { type CallbackRequest, CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import * as Harness from "./Harness.ts"

describe("what a carrier calls back", () => {
  it.scopedLive("reaches its receiver as it was sent, without an API key, and is answered as that says", () =>
    Effect.gen(function* () {
      const seen: Array<CallbackRequest> = []
      const callbacks = Layer.succeed(CarrierCallbacks, {
        handle: (request) =>
          Effect.sync(() => {
            seen.push(request)
            return { status: 202, body: "<Response/>", contentType: "text/xml" }
          })
      })
      const server = yield* Harness.start({ callbacks })
      const path = "/callbacks/somebody/status?attempt_id=att_1&b=%2B1"
      const answer = yield* Harness.send(server.port, path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "X-Signature": "abc=" },
        body: "CallSid=CA1&To=%2B14155550123"
      })
      assert.deepStrictEqual([answer.status, answer.text], [202, "<Response/>"])
      assert.include(answer.headers["content-type"], "text/xml")
      assert.deepStrictEqual(
        seen.map(({ body, headers, method, url }) => [method, url, body, headers["x-signature"]]),
        [["POST", path, "CallSid=CA1&To=%2B14155550123", "abc="]]
      )
    })
  )

  it.scopedLive("is answered 404 where the carrier sends no callbacks", () =>
    Effect.gen(function* () {
      const server = yield* Harness.start()
      const answer = yield* Harness.send(server.port, "/callbacks/twilio/status", { method: "POST" })
      assert.strictEqual(answer.status, 404)
    })
  )

  it.scopedLive("is refused when it is larger than any callback is", () =>
    Effect.gen(function* () {
      const server = yield* Harness.start({ maxBodyBytes: 2_048 })
      const answer = yield* Harness.send(server.port, "/callbacks/twilio/status", {
        method: "POST",
        body: "x".repeat(4_096)
      })
      assert.strictEqual(answer.status, 413)
    })
  )
})
