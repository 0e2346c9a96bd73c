import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { among, type CallbackHandler } from "../../../adapters/shared/CarrierCallbacks.ts"

const answering =
  (body: string): CallbackHandler =>
  () =>
    Effect.succeed({ status: 200, body, contentType: "text/plain" })

const handle = among([
  ["/callbacks/first", answering("first")],
  ["/callbacks/second", answering("second")],
  ["/callbacks/first/deeper", answering("never")]
])

const ask = (url: string) =>
  Effect.map(handle({ method: "POST", url, headers: {}, body: "" }), ({ body, status }) =>
    status === 200 ? body : status
  )

describe("several receivers of callbacks", () => {
  it.effect("get what comes to their own path and below it, whatever a proxy has put in front", () =>
    Effect.gen(function* () {
      for (const [url, answer] of [
        ["/callbacks/first", "first"],
        ["/callbacks/first?a=/callbacks/second", "first"],
        ["/callbacks/first/status?b=1", "first"],
        ["/callbacks/first/deeper", "first"],
        ["/base/callbacks/second#/callbacks/first", "second"],
        ["/callbacks/second/", "second"]
      ] as const) {
        assert.strictEqual(yield* ask(url), answer, url)
      }
    })
  )

  it.effect("get nothing of what comes to another", () =>
    Effect.gen(function* () {
      for (const url of [
        "/",
        "/callbacks/",
        "/callbacks/firstly",
        "/callbacks/third?x=/callbacks/first",
        ""
      ]) {
        assert.strictEqual(yield* ask(url), 404, url)
      }
    })
  )
})
