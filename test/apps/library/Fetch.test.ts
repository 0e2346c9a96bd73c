import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type LogLine, makeOutdial, type Options } from "../../../apps/library/main.ts"

const served = (options: Options = {}) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const outdial = await makeOutdial(options)
        const { id } = await outdial.workspaces.create({ name: "Acme" })
        const agent = await outdial.agents.create(id, { name: "Agent", prompt: "Call {{name}}" })
        const { id: campaign_id } = await outdial.numbers
          .add(id, { number: "+14155550100" })
          .then(() => outdial.campaigns.create(id, { name: "Spring", agent_id: agent.id }))
        const { key } = await outdial.workspaces.createKey(id, {
          name: "key",
          scopes: ["sessions:write", "sessions:read", "campaigns:write", "campaigns:read"]
        })
        return { outdial, key, campaign_id }
      }),
      ({ outdial }) => Effect.promise(() => outdial.dispose())
    ),
    ({ campaign_id, key, outdial }) => ({
      outdial,
      campaign_id,
      ask: (path: string, init: RequestInit = {}) =>
        Effect.promise(() =>
          outdial.fetch(
            new Request(`http://localhost${path}`, {
              ...init,
              headers: { "x-api-key": key, "content-type": "application/json", ...init.headers }
            })
          )
        )
    })
  )

const json = (response: Response) => Effect.promise(async () => (await response.json()) as any) // oxlint-disable-line typescript/no-explicit-any

/** A body that arrives piece by piece, by itself without a length; it is read no further than it is asked for. */
const streaming = (pieces: Iterable<Uint8Array>) => {
  const rest = pieces[Symbol.iterator]()
  let read = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { done, value } = rest.next()
      if (done) return controller.close()
      read += value.length
      controller.enqueue(value)
    }
  })
  return { init: { method: "POST", body, duplex: "half" } as RequestInit, read: () => read }
}

describe("the REST interface through fetch", () => {
  it.scopedLive("reads no more of a body than it takes, whether its length is told or not", () =>
    Effect.gen(function* () {
      const { ask } = yield* served()
      const told = yield* ask("/v0/calls", { method: "POST", body: `"${"x".repeat(262_144)}"` })
      assert.strictEqual(told.status, 413)
      assert.strictEqual((yield* json(told)).error.code, "invalid_request")
      const piece = new Uint8Array(64 * 1024).fill(0x20)
      const { init, read } = streaming(Array.from({ length: 1_000 }, () => piece))
      const untold = yield* ask("/v0/calls", init)
      assert.strictEqual(untold.status, 413)
      assert.isBelow(read(), 1_000_000)
    })
  )

  it.scopedLive("takes the larger body of an operation that allows it, and no more", () =>
    Effect.gen(function* () {
      const { ask, campaign_id } = yield* served()
      const form = (bytes: number) => {
        const body = new FormData()
        body.append("file", new Blob([`phone,name\n+14155550123,${"x".repeat(bytes)}\n`]), "people.csv")
        return { method: "POST", body }
      }
      const imported = (bytes: number) =>
        Effect.promise(async () => {
          const request = new Request("http://localhost/", form(bytes))
          return { body: await request.arrayBuffer(), type: request.headers.get("content-type")! }
        }).pipe(
          Effect.flatMap(({ body, type }) =>
            ask(`/v0/campaigns/${campaign_id}/recipients/import`, {
              method: "POST",
              body,
              headers: { "content-type": type }
            })
          )
        )
      const small = yield* imported(20_000)
      assert.strictEqual(small.status, 200)
      const { import: record, recipients } = yield* json(small)
      assert.deepStrictEqual([record.accepted_rows, recipients.length], [1, 1])
      assert.strictEqual((yield* imported(5_400_000)).status, 413)
    })
  )

  it.scopedLive("gives up on a body that does not arrive in time", () =>
    Effect.gen(function* () {
      const { ask } = yield* served({ settings: { OUTDIAL_REQUEST_TIMEOUT: "50 millis" } })
      const body = new ReadableStream({ pull: () => new Promise(() => {}) })
      const answer = yield* ask("/v0/calls", { method: "POST", body, duplex: "half" } as RequestInit)
      assert.strictEqual(answer.status, 408)
      assert.strictEqual((yield* json(answer)).error.code, "invalid_request")
    })
  )

  it.scopedLive("refuses what is not UTF-8, not JSON, and not of the path", () =>
    Effect.gen(function* () {
      const { ask } = yield* served()
      const post = (body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
        ask("/v0/calls", { method: "POST", body, headers: { "content-type": type } })
      const bad = yield* post(new Uint8Array([0x22, 0xff, 0x22]))
      assert.deepStrictEqual(
        [bad.status, (yield* json(bad)).error.message],
        [400, "the body is not valid UTF-8"]
      )
      assert.strictEqual((yield* post("{")).status, 400)
      assert.strictEqual((yield* post("a=1", "application/x-www-form-urlencoded")).status, 415)
      const wrong = yield* ask("/v0/calls", { method: "DELETE" })
      assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "POST, GET"])
      assert.strictEqual((yield* ask("/elsewhere")).status, 404)
    })
  )

  it.scopedLive("keeps the request's id, and writes one line of it, without its key", () =>
    Effect.gen(function* () {
      const lines: Array<LogLine> = []
      const { ask } = yield* served({ log: (line) => void lines.push(line) })
      const answer = yield* ask("/v0/calls?limit=1", { headers: { "x-request-id": "my-id" } })
      assert.strictEqual(answer.headers.get("x-request-id"), "my-id")
      const [line] = lines.filter(({ message }) => message === "request")
      assert.deepInclude(line!.annotations, { route: "/v0/calls", status: 200, request_id: "my-id" })
      assert.notInclude(JSON.stringify(lines), "od_live_")
    })
  )

  it.scopedLive("answers HEAD without a body, and streams of its own with one", () =>
    Effect.gen(function* () {
      const { ask, campaign_id } = yield* served()
      const head = yield* ask("/health/live", { method: "HEAD" })
      assert.strictEqual(yield* Effect.promise(() => head.text()), "")
      const found = yield* ask(`/v0/campaigns/${campaign_id}/results.csv`)
      assert.strictEqual(found.status, 200)
      assert.match(yield* Effect.promise(() => found.text()), /^recipient_id,phone_number_masked/)
    })
  )

  it.scopedLive("tells a client who comes after the end that it is not running", () =>
    Effect.gen(function* () {
      const { ask, outdial } = yield* served()
      assert.strictEqual((yield* ask("/health/ready")).status, 200)
      yield* Effect.promise(() => outdial.dispose())
      const answer = yield* ask("/health/ready")
      assert.deepStrictEqual([answer.status, (yield* json(answer)).error.code], [503, "service_unavailable"])
    })
  )
})
