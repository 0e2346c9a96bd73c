import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createClient, OutdialError } from "../../../apps/client/main.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { makeRecording } from "../../contracts/repository/Fixtures.ts"
import { ask, baseOf, clientOf, collect, failureOf, startClient } from "./Rig.ts"

const nowhere = "http://127.0.0.1:1/v0"

const csv = "phone_number,name\n+14155550123,Zoë\n4155550124,Bob\n+14155550125,Cyd\n"

describe("the client", () => {
  it.scopedLive("places a call, reads it, lists it and cancels it", () =>
    Effect.gen(function* () {
      const { body, outdial } = yield* startClient()
      const metadata = { order: 1, tags: ["a", "ü"] }
      const placed = yield* ask(() => outdial.calls.place({ ...body, callee_name: "Ada", metadata }))
      assert.strictEqual(placed.status, "queued")
      assert.deepStrictEqual(placed.metadata, metadata)
      assert.strictEqual(new Date(placed.created_at).toISOString(), placed.created_at)
      assert.deepStrictEqual(yield* ask(() => outdial.calls.get(placed.call_id)), placed)
      const page = yield* ask(() => outdial.calls.list({ status: "queued", limit: 1 }))
      assert.deepStrictEqual(page.data, [placed])
      assert.deepStrictEqual(page.pagination, { limit: 1, offset: 0, total: 1 })
      const cancelled = yield* ask(() => outdial.calls.cancel(placed.call_id))
      assert.strictEqual(cancelled.status, "cancelled")
    })
  )

  it.scopedLive("takes operations from their group, and works from its base with or without a slash", () =>
    Effect.gen(function* () {
      const { key, port } = yield* startClient()
      const { balance } = createClient({ baseUrl: `${baseOf(port)}/`, apiKey: key }).credits
      assert.strictEqual((yield* ask(() => balance())).balance, 100)
    })
  )

  it.scopedLive("sends a bearer token, asking for one whenever it sends", () =>
    Effect.gen(function* () {
      const { body, port, token } = yield* startClient()
      const given = yield* token(allScopes)
      let asked = 0
      const outdial = createClient({
        baseUrl: baseOf(port),
        token: async () => {
          asked += 1
          return given
        }
      })
      yield* ask(() => outdial.credits.balance())
      yield* ask(() => outdial.credits.ledger())
      assert.strictEqual(asked, 2)
      const refused = yield* failureOf(() => outdial.calls.place(body))
      assert.deepStrictEqual([refused.status, refused.code], [403, "forbidden"])
    })
  )

  it.scopedLive("iterates over every record once, while some are added and some go", () =>
    Effect.gen(function* () {
      const { body, outdial } = yield* startClient()
      const place = () => outdial.calls.place(body)
      const ids: Array<string> = []
      for (let n = 0; n < 12; n++) ids.push((yield* ask(place)).call_id)
      yield* ask(async () => {
        const met: Array<string> = []
        for await (const { call_id } of outdial.calls.all({ status: "queued", limit: 3 })) {
          met.push(call_id)
          if (met.length === 1) await Promise.all([place(), place()])
          if (met.length === 4) await Promise.all(met.map((id) => outdial.calls.cancel(id)))
        }
        const known = met.filter((id) => ids.includes(id))
        assert.deepStrictEqual(known, ids.toReversed())
        assert.lengthOf(new Set(met), met.length)
      })
    })
  )

  it.scopedLive("stops asking when the iteration is left", () =>
    Effect.gen(function* () {
      const { body, key, outdial, port } = yield* startClient()
      for (let n = 0; n < 3; n++) yield* ask(() => outdial.calls.place(body))
      let asked = 0
      const counting = clientOf(port, key, {
        fetch: (...args) => {
          asked += 1
          return fetch(...args)
        }
      })
      yield* ask(async () => {
        for await (const call of counting.calls.all({ limit: 1 })) if (call.call_id !== "") break
      })
      assert.strictEqual(asked, 1)
    })
  )

  const files = [
    ["a File", new File([csv], "people.csv", { type: "text/csv" }), "people.csv"],
    ["a Blob", new Blob([csv]), "file"],
    ["text under a name", { name: "text.csv", data: csv }, "text.csv"],
    ["bytes under a name", { name: "bytes.csv", data: new TextEncoder().encode(csv) }, "bytes.csv"]
  ] as const

  for (const [kind, file, filename] of files) {
    it.scopedLive(`imports recipients from ${kind}, and tells the rows that were left out`, () =>
      Effect.gen(function* () {
        const { agent, outdial } = yield* startClient()
        const { id } = yield* ask(() => outdial.campaigns.create({ name: "March", agent_id: agent.id }))
        const imported = yield* ask(() => outdial.recipients.import(id, file))
        assert.strictEqual(imported.import.filename, filename)
        assert.strictEqual(imported.import.status, "completed_with_errors")
        assert.deepStrictEqual(
          imported.import.errors.map(({ row, value }) => [row, value]),
          [[3, "4155550124"]]
        )
        assert.deepStrictEqual(
          imported.recipients.map(({ variables }) => variables),
          [{ name: "Zoë" }, { name: "Cyd" }]
        )
      })
    )
  }

  it.scopedLive("answers results as text, and as a stream", () =>
    Effect.gen(function* () {
      const { agent, outdial } = yield* startClient()
      const { id } = yield* ask(() => outdial.campaigns.create({ name: "March", agent_id: agent.id }))
      yield* ask(() => outdial.recipients.import(id, { name: "people.csv", data: csv }))
      const text = yield* ask(() => outdial.recipients.results(id))
      assert.match(text, /^recipient_id,.*,name\r\n.*Zoë\r\n.*Cyd\r\n$/s)
      const stream = yield* ask(() => outdial.recipients.resultsStream(id))
      assert.strictEqual(yield* ask(() => new Response(stream).text()), text)
    })
  )

  it.scopedLive("lists a session's recordings", () =>
    Effect.gen(function* () {
      const { outdial, repository, workspace } = yield* startClient()
      for (const n of [1, 2, 3]) {
        yield* repository.recordings.insert(makeRecording(n, { customer_id: workspace.id }))
      }
      const recordings = yield* ask(() => collect(outdial.recordings.all("sess_1", { limit: 2 })))
      assert.deepStrictEqual(
        recordings.map(({ id }) => id),
        ["rec_000003", "rec_000002", "rec_000001"]
      )
    })
  )

  it.scopedLive("takes and gives back numbers on the do-not-call list, whatever their plus would mean", () =>
    Effect.gen(function* () {
      const { outdial } = yield* startClient()
      const phone_number = "+14155550123"
      assert.deepStrictEqual(yield* ask(() => outdial.doNotCall.add({ phone_numbers: [phone_number] })), {
        added: 1
      })
      assert.deepStrictEqual(yield* ask(() => outdial.doNotCall.remove(phone_number)), {
        phone_number,
        deleted: true
      })
    })
  )
})

describe("an error of the client", () => {
  it.scopedLive("has the status, code, message, details and request id of the answer", () =>
    Effect.gen(function* () {
      const { body, outdial } = yield* startClient()
      const keyed = { ...body, idempotency_key: "order-1" }
      const { call_id } = yield* ask(() => outdial.calls.place(keyed))
      const error = yield* failureOf(() => outdial.calls.place(keyed))
      assert.instanceOf(error, OutdialError)
      assert.deepStrictEqual([error.status, error.code], [409, "conflict"])
      assert.deepStrictEqual(error.details, { call_id })
      assert.match(error.message, /not dialled again/)
      assert.match(error.requestId!, /^[A-Za-z0-9._-]{1,64}$/)
      assert.isNull(error.retryAfter)
      assert.isNull(error.detail)
    })
  )

  it.scopedLive("has every broken rule of a 422", () =>
    Effect.gen(function* () {
      const { agent, outdial } = yield* startClient()
      const { id } = yield* ask(() => outdial.campaigns.create({ name: "March", agent_id: agent.id }))
      const error = yield* failureOf(() =>
        outdial.campaigns.update(id, { max_concurrency: 0, calls_per_minute: -1 })
      )
      assert.deepStrictEqual([error.status, error.code], [422, "invalid_request"])
      assert.deepStrictEqual(
        error.detail!.map(({ loc }) => loc.at(-1)),
        ["max_concurrency", "calls_per_minute"]
      )
      for (const { msg } of error.detail!) assert.include(error.message, msg)
    })
  )

  it.scopedLive("names what is wrong, and neither the key nor the number", () =>
    Effect.gen(function* () {
      const { body, key, port } = yield* startClient()
      const wrong = `${key.slice(0, -4)}0000`
      const unknown = yield* failureOf(() => clientOf(port, wrong).calls.place(body))
      assert.deepStrictEqual([unknown.status, unknown.code], [401, "unauthorized"])
      const to_number = "+1415555012x"
      const invalid = yield* failureOf(() => clientOf(port, key).calls.place({ ...body, to_number }))
      assert.deepStrictEqual([invalid.status, invalid.code], [400, "invalid_request"])
      const lost = yield* failureOf(() =>
        createClient({ baseUrl: nowhere, apiKey: key, retry: { retries: 0 } }).doNotCall.remove(
          "+14155550123"
        )
      )
      assert.deepStrictEqual([lost.status, lost.code], [null, "network_error"])
      for (const error of [unknown, invalid, lost]) {
        const told = `${error.message} ${JSON.stringify(error)}`
        for (const secret of [key, wrong, to_number, "4155550123"]) assert.notInclude(told, secret)
      }
    })
  )

  it.effect("comes before anything is sent for an id that would make another path", () =>
    Effect.gen(function* () {
      const outdial = createClient({ baseUrl: nowhere, apiKey: "od_live_key", retry: { retries: 0 } })
      for (const id of ["", ".", ".."]) {
        const error = yield* failureOf(() => outdial.calls.get(id))
        assert.deepStrictEqual([error.code, error.message], ["invalid_request", "call_id is not an id"])
      }
    })
  )

  it("is thrown at once for options that cannot work", () => {
    assert.throws(() => createClient({ baseUrl: "voice.example.com", apiKey: "k" }), TypeError, "baseUrl")
    assert.throws(() => createClient({ baseUrl: "file:///v0", apiKey: "k" }), TypeError, "baseUrl")
    assert.throws(() => createClient({ baseUrl: nowhere, apiKey: "" }), TypeError, "apiKey or token")
  })
})
