import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeCall, makeState } from "../../contracts/repository/Fixtures.ts"
import { start } from "./Harness.ts"

/** A stream of events that is left with the scope: `until` reads on until its text is of a form, and answers all of it. */
const followed = Effect.fnUntraced(function* (port: number, key: string) {
  const leaving = yield* Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort())
  )
  const response = yield* Effect.promise(() =>
    fetch(`http://127.0.0.1:${port}/v0/events`, { headers: { "x-api-key": key }, signal: leaving.signal })
  )
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  const until = (form: RegExp) =>
    Effect.promise(async () => {
      while (!form.test(text)) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`the stream ended: ${text}`)
        text += value
      }
      return text
    })
  return { response, until }
})

describe("a workspace that is followed", () => {
  it.scopedLive("tells what changes by the records, byte for byte, to those who may read them", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { calls, campaigns } = server.repository
      const customer_id = server.workspace.id
      const other = yield* server.workspaces.create({ name: "Other" })
      const [whole, narrow] = yield* Effect.all([
        followed(server.port, server.key),
        followed(server.port, yield* server.keyWith(["sessions:read"]))
      ])
      assert.strictEqual(whole.response.headers.get("content-type"), "text/event-stream")
      yield* Effect.all([whole.until(/^:\n\nevent: ready\ndata: {}\n\n/), narrow.until(/ready/)])

      const created_at = Date.now()
      const metadata = '{"b":1.0,"a":12345678901234567890}'
      yield* calls.insert(makeCall(1, { customer_id: other.id, created_at }))
      yield* campaigns.insert(makeState(1, { customer_id, created_at }))
      yield* calls.insert(makeCall(2, { customer_id, created_at, metadata: metadata as never }))
      const told = yield* whole.until(/event: call\n[^]*event: campaign\n.*\n\n/)
      const [, data] = /event: call\ndata: (.*)\n/.exec(told)!
      assert.include(data, `"metadata":${metadata}`)
      assert.strictEqual(JSON.parse(data!).call_id, "call_000002")
      assert.notInclude(told, "+14155550123")
      assert.notInclude(told, "call_000001")

      yield* calls.insert(makeCall(3, { customer_id, created_at }))
      assert.notInclude(yield* narrow.until(/call_000003/), "campaign\n")
    })
  )

  it.scopedLive("needs the scope to read calls", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const key = yield* server.keyWith(["campaigns:read"])
      const { json, status } = yield* server.call("/events", { headers: { "x-api-key": key } })
      assert.strictEqual(status, 403)
      assert.include(json.error.message, "sessions:read")
    })
  )
})
