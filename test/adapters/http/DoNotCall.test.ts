import { Effect, Exit, Tracer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { startCampaigns } from "./CampaignServer.ts"
import { captured, form, start } from "./Harness.ts"

const first = "+14155550123"
const second = "+33612345678"

const isSecond = ({ phone_number }: { readonly phone_number: string }) => phone_number === second

describe("the do-not-call list", () => {
  it.scopedLive("is added to, told newest first with full numbers, and taken from", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const add = (...phone_numbers: ReadonlyArray<string>) =>
        server.call("/do-not-call", { json: { phone_numbers } })
      const added = yield* add(first)
      assert.strictEqual(added.status, 200, added.text)
      assert.deepStrictEqual(added.json, { added: 1 })
      assert.deepStrictEqual((yield* add(first, second, second)).json, { added: 1 })
      const listed = yield* server.call("/do-not-call")
      assert.deepStrictEqual(listed.json.pagination, { limit: 50, offset: 0, total: 2 })
      assert.sameMembers(
        listed.json.data.map(({ phone_number }: { phone_number: string }) => phone_number),
        [first, second]
      )
      assert.match(listed.json.data[0].created_at, /^\d{4}-.*Z$/)
      assert.strictEqual((yield* server.call("/do-not-call?limit=1&offset=1")).json.data.length, 1)
      const found = yield* server.call(`/do-not-call?phone_number=${encodeURIComponent(second)}`)
      assert.deepStrictEqual(found.json.data, [listed.json.data.find(isSecond)])
      assert.strictEqual(found.json.pagination.total, 1)
      assert.strictEqual((yield* server.call("/do-not-call?phone_number=%2B15005550100")).json.data.length, 0)
      const malformed = yield* server.call("/do-not-call?phone_number=336")
      assert.strictEqual(malformed.json.error.message, "phone_number must be an E.164 number")
      const remove = (path: string) => server.call(`/do-not-call/${path}`, { method: "DELETE" })
      const removed = yield* remove(encodeURIComponent(first))
      assert.deepStrictEqual(removed.json, { phone_number: first, deleted: true })
      assert.strictEqual((yield* remove(second)).status, 200)
      for (const path of [encodeURIComponent(first), "nonsense"]) {
        const gone = yield* remove(path)
        assert.strictEqual(gone.status, 404)
        assert.strictEqual(gone.json.error.code, "not_found")
        assert.notInclude(gone.text, "4155550123")
      }
      assert.strictEqual((yield* server.call("/do-not-call")).json.pagination.total, 0)
    })
  )

  it.scopedLive("refuses what breaks a rule, repeats no number, and adds none", () =>
    Effect.gen(function* () {
      const server = yield* start()
      for (const [json, mentions] of [
        [{}, "phone_numbers"],
        [{ phone_numbers: [] }, "1 to 1,000"],
        [{ phone_numbers: Array.from({ length: 1_001 }, () => first) }, "1 to 1,000"],
        [{ phone_numbers: first }, "phone_numbers"],
        [{ phone_numbers: [first, "14155550123"] }, "phone_numbers.1"],
        [{ phone_numbers: [first, 14155550123] }, "phone_numbers.1"],
        [{ phone_numbers: [first], note: first }, "note"],
        [{ phone_numbers: [first], [first]: 1 }, "property"]
      ] as const) {
        const reply = yield* server.call("/do-not-call", { json })
        assert.strictEqual(reply.status, 400, reply.text)
        assert.include(reply.json.error.message, mentions)
        assert.notInclude(reply.text, "4155550123")
      }
      assert.strictEqual((yield* server.call("/do-not-call", { body: "{" })).status, 400)
      assert.strictEqual((yield* server.call("/do-not-call")).json.pagination.total, 0)
    })
  )

  it.scopedLive("holds for what is added to campaigns and imported into them", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      yield* server.call("/do-not-call", { json: { phone_numbers: [first, second] } })
      const id = yield* server.campaign()
      const added = yield* server.add(id, [{ phone_number: first }])
      assert.strictEqual(added.json.recipients[0].status, "skipped")
      const file = form({ content: `phone\n${second}\n` })
      const imported = yield* server.call(`/campaigns/${id}/recipients/import`, file)
      assert.strictEqual(imported.json.recipients[0].status, "skipped", imported.text)
      assert.strictEqual((yield* server.call(`/campaigns/${id}`)).json.stats.skipped, 2)
    })
  )

  it.scopedLive("of another workspace is another list", () =>
    Effect.gen(function* () {
      const server = yield* start()
      yield* server.call("/do-not-call", { json: { phone_numbers: [first] } })
      const stranger = yield* server.workspaces.create({ name: "Other" })
      const headers = { "x-api-key": yield* server.keyWith(allScopes, stranger.id) }
      assert.strictEqual((yield* server.call("/do-not-call", { headers })).json.pagination.total, 0)
      const foreign = yield* server.call(`/do-not-call/${encodeURIComponent(first)}`, {
        method: "DELETE",
        headers
      })
      assert.strictEqual(foreign.status, 404)
      assert.strictEqual((yield* server.call("/do-not-call")).json.pagination.total, 1)
    })
  )

  it.scopedLive("leaves no number in a log line, a metric or a span", () => {
    const log = captured()
    const spans: Array<Tracer.Span> = []
    return Effect.gen(function* () {
      const native = yield* Effect.tracer
      const tracer = Tracer.make({
        context: (f) => f(),
        span: (...args) => {
          const span = native.span(...args)
          spans.push(span)
          return span
        }
      })
      const server = yield* start({ logRequests: true, basePath: "/quiet" }).pipe(Effect.withTracer(tracer))
      spans.length = 0
      yield* server.call("/do-not-call", { json: { phone_numbers: [first] } })
      yield* server.call("/do-not-call", { json: { phone_numbers: [`${first}x`] } })
      for (const path of [first, first, encodeURIComponent(first), `${first}/x`]) {
        yield* server.call(`/do-not-call/${path}`, { method: "DELETE" })
      }
      yield* server.call(
        "/do-not-call/import",
        form({ content: `phone\n${first}\n${first}x\n`, filename: first })
      )
      assert.strictEqual(log.lines.length, 7)
      assert.strictEqual(JSON.parse(log.lines[2]!).annotations.route, "/quiet/do-not-call/:phone_number")
      const metrics = yield* server.raw("/metrics")
      assert.include(metrics.text, 'route="/quiet/do-not-call/:phone_number"')
      const plain = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value)
      const told = spans.map(({ attributes, name, status }) => {
        const cause = status._tag === "Ended" && Exit.isFailure(status.exit) ? String(status.exit.cause) : ""
        return JSON.stringify([name, [...attributes], cause], plain)
      })
      assert.isAbove(told.length, 7)
      for (const text of [log.lines.join("\n"), metrics.text, told.join("\n")]) {
        assert.notInclude(text, "4155550123")
      }
    }).pipe(Effect.provide(log.layer))
  })
})

describe("POST /do-not-call/import", () => {
  it.scopedLive("adds the numbers of a file's phone column, and tells which rows have none", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const upload = (content: string) => server.call("/do-not-call/import", form({ content }))
      const reply = yield* upload(
        `name,phone\nAda,${first}\nGrace,nobody\nAda,${first}\nBob,+33 6 12 34 56 78\n`
      )
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual(reply.headers["content-type"], "application/json")
      const { errors, ...counts } = reply.json
      assert.deepStrictEqual(counts, { total_rows: 4, accepted_rows: 3, rejected_rows: 1, added: 2 })
      assert.strictEqual(errors.length, 1)
      assert.deepInclude(errors[0], { row: 3, value: "nobody" })
      const listed = (yield* server.call("/do-not-call")).json.data
      assert.sameMembers(
        listed.map(({ phone_number }: { phone_number: string }) => phone_number),
        [first, second]
      )
      assert.deepInclude((yield* upload(`phone\n${first}\n`)).json, { accepted_rows: 1, added: 0 })
    })
  )

  it.scopedLive("answers 400 to what is no form, no table or no list of numbers, 413 to too much", () =>
    Effect.gen(function* () {
      const server = yield* start()
      for (const sent of [
        { method: "POST", body: "{}", headers: { "content-type": "application/json" } },
        form({ content: "\u0000" }),
        form({ content: `name\n${first}\n` }),
        form({ content: `phone\n${first}\n`, name: "numbers" })
      ]) {
        const reply = yield* server.call("/do-not-call/import", sent)
        assert.strictEqual(reply.status, 400, reply.text)
        assert.strictEqual(reply.json.error.code, "invalid_request")
        assert.notInclude(reply.text, "4155550123")
      }
      const large = yield* server.call("/do-not-call/import", form({ content: "x".repeat(5_300_000) }))
      assert.strictEqual(large.status, 413)
      assert.strictEqual((yield* server.call("/do-not-call")).json.pagination.total, 0)
    })
  )
})
