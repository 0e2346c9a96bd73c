import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Effect } from "effect"
import type { RecipientStatus } from "../../../core/model/campaigns/Recipient.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { makeAttempt } from "../../contracts/repository/Fixtures.ts"
import { startCampaigns } from "./CampaignServer.ts"
import type { Reply } from "./Harness.ts"

const number = (n: number) => `+1415555${String(n).padStart(4, "0")}`

const refused = (reply: Reply, status: number, code: string, mentions = "") => {
  assert.strictEqual(reply.status, status, reply.text)
  assert.strictEqual(reply.json.error.code, code)
  assert.include(reply.json.error.message, mentions)
  assert.notInclude(reply.text, "415555")
}

describe("POST /campaigns/{campaign_id}/recipients", () => {
  it.scopedLive("adds all of them with masked numbers, and the list tells them newest first", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.campaign()
      const variables = '{"name":"Ada","balance":12.50,"big":12345678901234567890,"none":null}'
      const body =
        `{"recipients":[{"phone_number":"${number(1)}","variables":${variables},"timezone":"Europe/Paris"},` +
        `{"phone_number":"${number(2)}"}]}`
      const added = yield* server.call(`/campaigns/${id}/recipients`, { body })
      assert.strictEqual(added.status, 200, added.text)
      assert.deepStrictEqual(Object.keys(added.json), ["recipients"])
      const [first, second] = added.json.recipients
      const { created_at, id: recipient_id, updated_at, ...record } = first
      assert.match(recipient_id, /^rcpt_/)
      assert.strictEqual(created_at, updated_at)
      assert.deepStrictEqual(record, {
        campaign_id: id,
        phone_number_masked: "+*******0001",
        status: "pending",
        timezone: "Europe/Paris",
        variables: JSON.parse(variables),
        msg_context: {},
        outcome: {},
        answers: {},
        qualification_status: null,
        sentiment: null,
        next_action_at: null,
        last_customer_message_at: null,
        service_window_expires_at: null
      })
      assert.include(added.text, `"variables":${variables}`)
      assert.deepInclude(second, { phone_number_masked: "+*******0002", timezone: null, variables: {} })
      assert.notInclude(added.text, number(1))
      const list = (query = "") => server.call(`/campaigns/${id}/recipients${query}`)
      const listed = yield* list()
      assert.deepStrictEqual(listed.json.data, [second, first])
      assert.deepStrictEqual(listed.json.pagination, { limit: 50, offset: 0, total: 2 })
      assert.include(listed.text, `"variables":${variables}`)
      assert.deepStrictEqual((yield* list("?limit=1&offset=1")).json.data, [first])
      assert.deepStrictEqual((yield* list("?status=skipped")).json.data, [])
      refused(yield* list("?status=lost"), 400, "invalid_request", "status")
      assert.strictEqual((yield* server.call(`/campaigns/${id}`)).json.stats.pending, 2)
      const [patch, json] = ["PATCH", { indexed_metadata_keys: ["city"] }]
      yield* server.call("/workspace", { method: patch, json })
      const place = { phone_number: number(3), variables: { city: "Nîmes" } }
      const third = (yield* server.call(`/campaigns/${id}/recipients`, { json: { recipients: [place] } }))
        .json.recipients[0]
      const inCity = (city: string) => list(`?variables.city=${encodeURIComponent(city)}`)
      assert.deepStrictEqual((yield* inCity("Nîmes")).json.data, [third])
      const moved = { method: patch, json: { variables: { city: "Arles" } } }
      yield* server.call(`/campaigns/${id}/recipients/${third.id}`, moved)
      assert.strictEqual((yield* inCity("Nîmes")).json.pagination.total, 0)
      assert.strictEqual((yield* inCity("Arles")).json.pagination.total, 1)
      assert.deepStrictEqual((yield* list("?sentiment=positive&answers.guests=2")).json.data, [])
      refused(yield* list("?sentiment=glad"), 400, "invalid_request", "sentiment")
    })
  )

  const one = { phone_number: number(1) }
  const invalid: ReadonlyArray<readonly [name: string, body: unknown, mentions: string]> = [
    ["no recipients", {}, "recipients"],
    ["an empty list", { recipients: [] }, "1 to 1,000"],
    [
      "1,001 recipients",
      { recipients: Array.from({ length: 1_001 }, (_, n) => ({ phone_number: number(n) })) },
      "1 to 1,000"
    ],
    ["an unknown property", { recipients: [one], surprise: 1 }, "surprise"],
    ["an unknown property of one", { recipients: [{ ...one, name: "Ada" }] }, "name"],
    ["a number that is a property", { recipients: [{ ...one, [number(2)]: "Ada" }] }, "recipients"],
    ["no number", { recipients: [one, {}] }, "recipients.1.phone_number"],
    ["a number that is a number", { recipients: [{ phone_number: 14155550001 }] }, "a string"],
    ["a number without its +", { recipients: [{ phone_number: "14155550001" }] }, "E.164"],
    ["a number that is too short", { recipients: [{ phone_number: "+1415555" }] }, "length"],
    ["a number twice", { recipients: [one, { phone_number: number(2) }, one] }, "recipients.0"],
    ["a zone that is none", { recipients: [{ ...one, timezone: "Mars/Olympus" }] }, "timezone"],
    ["variables that are a list", { recipients: [{ ...one, variables: [] }] }, "variables"],
    ["a variable that is a list", { recipients: [{ ...one, variables: { a: [] } }] }, "variables"],
    [
      "variables above 30,000 bytes",
      { recipients: [{ ...one, variables: { a: "x".repeat(30_000) } }] },
      "30000"
    ]
  ]

  it.scopedLive("answers 400 to whatever breaks a rule, naming it, and adds none", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.campaign()
      const post = (json: unknown) => server.call(`/campaigns/${id}/recipients`, { json })
      for (const [name, body, mentions] of invalid) {
        const reply = yield* post(body)
        assert.strictEqual(reply.status, 400, `${name}: ${reply.text}`)
        refused(reply, 400, "invalid_request", mentions)
      }
      refused(
        yield* server.call(`/campaigns/${id}/recipients`, { body: "{" }),
        400,
        "invalid_request",
        "JSON"
      )
      const typed = yield* server.call(`/campaigns/${id}/recipients`, {
        body: "phone_number",
        headers: { "content-type": "text/csv" }
      })
      refused(typed, 415, "invalid_request")
      assert.strictEqual((yield* server.call(`/campaigns/${id}`)).json.stats.total, 0)
    })
  )

  it.scopedLive("answers 409 to a number that the campaign has, saying which, and adds none", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.campaign()
      const [known] = (yield* server.add(id, [{ phone_number: number(1) }])).json.recipients
      const again = yield* server.add(
        id,
        [2, 1, 3].map((n) => ({ phone_number: number(n) }))
      )
      refused(again, 409, "conflict", "recipients[1]")
      assert.deepStrictEqual(again.json.error.details, { index: 1, recipient_id: known.id })
      assert.strictEqual((yield* server.call(`/campaigns/${id}`)).json.stats.total, 1)
      assert.strictEqual(
        (yield* server.add(yield* server.campaign(), [{ phone_number: number(1) }])).status,
        200
      )
    })
  )

  it.scopedLive("takes 5 MB, and answers 413 to more", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.campaign()
      const recipients = Array.from({ length: 160 }, (_, n) => ({
        phone_number: number(n),
        variables: { a: "x".repeat(29_900) }
      }))
      const body = JSON.stringify({ recipients })
      const limit = 5 * 1024 * 1024
      assert.isBelow(body.length, limit)
      const post = (length: number) =>
        server.call(`/campaigns/${id}/recipients`, { body: body.padEnd(length) })
      refused(yield* post(limit + 1), 413, "invalid_request", String(limit))
      const added = yield* post(limit)
      assert.strictEqual(added.status, 200, added.text.slice(0, 200))
      assert.strictEqual(added.json.recipients.length, 160)
    })
  )

  it.scopedLive("answers 400 once the campaign has ended, 404 when there is none", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.filled
      yield* server.patch(id, { status: "cancelled" })
      refused(yield* server.add(id, [{ phone_number: number(1) }]), 400, "invalid_request", "cancelled")
      refused(yield* server.add("camp_none", [{ phone_number: number(1) }]), 404, "not_found", "campaign")
    })
  )
})

describe("GET /campaigns/{campaign_id}/results.csv", () => {
  const ownColumns = [
    "recipient_id",
    "phone_number_masked",
    "status",
    "outcome",
    "reason",
    "call_id",
    "updated_at",
    "attempts",
    "duration_seconds",
    "credits",
    "answers",
    "qualification_status",
    "sentiment",
    "last_customer_message"
  ]
  const own = ownColumns.length

  /** The results for a key that may not export numbers. */
  const resultsOf = Effect.fnUntraced(function* (
    server: Effect.Effect.Success<ReturnType<typeof startCampaigns>>,
    id: string
  ) {
    const key = yield* server.keyWith(["campaigns:read"])
    return yield* server.call(`/campaigns/${id}/results.csv`, { headers: { "x-api-key": key } })
  })

  it.scopedLive("is a CSV file of every recipient, with a column for each variable as it first appears", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.campaign()
      const body =
        `{"recipients":[{"phone_number":"${number(1)}","variables":{"name":"Ada","2024":1.50,"big":12345678901234567890}},` +
        `{"phone_number":"${number(2)}","variables":{"__proto__":"x","constructor":"y","name":null,"ok":true}},` +
        `{"phone_number":"${number(3)}"}]}`
      const added = (yield* server.call(`/campaigns/${id}/recipients`, { body })).json.recipients
      const stored = yield* Effect.flatten(
        server.repository.recipients.get(server.workspace.id, id, added[0].id)
      )
      yield* server.repository.recipients.update({
        ...stored,
        status: "completed",
        call_id: "call_1",
        outcome: RawJson('{"outcome":"answered","sub_status":"user_hangup","call_id":"call_1"}')
      })
      const attempt = { call_id: "call_1", campaign_id: id, customer_id: server.workspace.id }
      for (const [n, duration_seconds, credits] of [
        [1, 0, 1],
        [2, 42.5, 2]
      ] as const) {
        yield* server.repository.attempts.insert(makeAttempt(n, { ...attempt, duration_seconds, credits }))
      }
      const reply = yield* resultsOf(server, id)
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual(reply.headers["content-type"], "text/csv; charset=utf-8")
      assert.strictEqual(reply.headers["content-disposition"], `attachment; filename="${id}-results.csv"`)
      const at = added[0].updated_at
      const [header, ...rows] = parse(reply.text)
      assert.deepStrictEqual(header, [...ownColumns, "name", "2024", "big", "__proto__", "constructor", "ok"])
      const untried = ["pending", "", "", "", at, "0", "0", "0", "{}", "", "", ""]
      const tried = ["completed", "answered", "user_hangup", "call_1", at, "2", "42.5", "3", "{}", "", "", ""]
      assert.deepStrictEqual(
        rows.map((row) => row.slice(0, own)),
        [
          [added[0].id, "'+*******0001", ...tried],
          [added[1].id, "'+*******0002", ...untried],
          [added[2].id, "'+*******0003", ...untried]
        ]
      )
      const variables = rows.map((row) => row.slice(own))
      assert.deepStrictEqual(variables, [
        ["Ada", "1.50", "12345678901234567890", "", "", ""],
        ["", "", "", "x", "y", "true"],
        ["", "", "", "", "", ""]
      ])
      assert.isTrue(reply.text.endsWith("\r\n"))
      assert.notInclude(reply.text, number(1))
    })
  )

  it.scopedLive(
    "has the numbers in full for a key with the scope recipients:export, as an import takes them",
    () =>
      Effect.gen(function* () {
        const server = yield* startCampaigns()
        const id = yield* server.campaign()
        yield* server.add(id, [{ phone_number: number(1), variables: { name: "Ada" } }])
        const key = yield* server.keyWith(["campaigns:read", "recipients:export"])
        const reply = yield* server.call(`/campaigns/${id}/results.csv`, { headers: { "x-api-key": key } })
        const [header, row] = parse(reply.text)
        assert.deepStrictEqual(header, [...ownColumns, "phone_number", "name"])
        assert.deepStrictEqual(row!.slice(own), [number(1), "Ada"])
        assert.include(reply.text, `,${number(1)},Ada`)
        const alone = yield* server.keyWith(["recipients:export"])
        const refusal = yield* server.call(`/campaigns/${id}/results.csv`, {
          headers: { "x-api-key": alone }
        })
        refused(refusal, 403, "forbidden", "campaigns:read")
      })
  )

  it.scopedLive("quotes what CSV needs quoted, and takes the sting out of formulas", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.campaign()
      const cells = {
        "=name": '=HYPERLINK("http://x")',
        plus: "+1",
        minus: "-1",
        at: "@SUM(A1)",
        tab: "\t=1",
        cr: "\r=1",
        lf: "\n=1",
        inside: "a=1",
        quote: 'say "hi"',
        comma: "a,b",
        semicolon: "a;=1",
        lines: "a\r\nb",
        space: " a ",
        utf8: "é😀",
        number: -5
      }
      yield* server.add(id, [{ phone_number: number(1), variables: cells }])
      const reply = yield* resultsOf(server, id)
      const [header, row] = parse(reply.text)
      const expected = Object.values({
        ...cells,
        "=name": `'=HYPERLINK("http://x")`,
        plus: "'+1",
        minus: "'-1",
        at: "'@SUM(A1)",
        tab: "'\t=1",
        cr: "'\r=1",
        lf: "'\n=1",
        number: "'-5"
      })
      assert.deepStrictEqual(header!.slice(own), ["'=name", ...Object.keys(cells).slice(1)])
      assert.deepStrictEqual(row!.slice(own), expected)
      assert.include(reply.text, '"say ""hi"""')
      assert.include(reply.text, '"a;=1"')
    })
  )

  it.scopedLive("is a header alone without recipients, and holds thousands of them", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.campaign()
      const results = resultsOf(server, id)
      assert.strictEqual((yield* results).text, `${ownColumns.join(",")}\r\n`)
      const added: Array<string> = []
      for (const start of [0, 1_000, 2_000]) {
        const recipients = Array.from({ length: 1_000 }, (_, n) => ({
          phone_number: number(start + n),
          variables: { [`v${start}`]: n }
        }))
        const { json } = yield* server.add(id, recipients)
        for (const recipient of json.recipients) added.push(recipient.id)
      }
      const [header, ...rows] = parse((yield* results).text)
      assert.deepStrictEqual(header, [...ownColumns, "v0", "v1000", "v2000"])
      assert.deepStrictEqual(
        rows.map(([recipient_id]) => recipient_id),
        added
      )
      assert.deepStrictEqual(rows[2_999]!.slice(own), ["", "", "999"])
      refused(yield* server.call("/campaigns/camp_none/results.csv"), 404, "not_found", "campaign")
    })
  )
})

describe("one recipient", () => {
  it.scopedLive("is read, changed, called again and removed, unless its call is under way", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const campaign_id = yield* server.filled
      const customer_id = server.workspace.id
      const path = `/campaigns/${campaign_id}/recipients`
      const { id } = (yield* server.call(path)).json.data[0]
      const one = `${path}/${id}`
      const read = yield* server.call(one)
      assert.strictEqual(read.json.id, id)
      const patch = (json: unknown) => server.call(one, { method: "PATCH", json })

      const changed = yield* patch({ variables: { name: "Eve" }, timezone: "Asia/Tokyo" })
      assert.strictEqual(changed.status, 200, changed.text)
      assert.deepInclude(changed.json, {
        variables: { name: "Eve" },
        timezone: "Asia/Tokyo",
        status: "pending"
      })
      const cleared = yield* patch({ timezone: null })
      assert.deepInclude(cleared.json, { variables: { name: "Eve" }, timezone: null })
      refused(yield* patch({ timezone: "Mars" }), 400, "invalid_request", "timezone")
      refused(yield* patch({ variables: { a: [] } }), 400, "invalid_request", "variables")
      refused(yield* patch({ status: "completed" }), 400, "invalid_request", "status")

      const stored = yield* Effect.flatten(server.repository.recipients.get(customer_id, campaign_id, id))
      const become = Effect.fnUntraced(function* (status: RecipientStatus) {
        yield* server.repository.recipients.update({ ...stored, status })
        const { counters } = yield* Effect.flatten(server.repository.campaigns.get(customer_id, campaign_id))
        const none = { pending: 0, in_progress: 0, failed: 0 }
        yield* server.repository.campaigns.saveCounters({ ...counters, ...none, [status]: 1 })
      })
      yield* become("in_progress")
      refused(yield* patch({ timezone: null }), 409, "conflict", "not over")
      refused(yield* server.call(one, { method: "DELETE" }), 409, "conflict", "not over")
      refused(yield* server.post(`${one}/retry`), 409, "conflict", "not over")

      yield* become("failed")
      const again = yield* server.post(`${one}/retry`)
      assert.strictEqual(again.json.status, "pending", again.text)
      const stats = Effect.map(server.call(`/campaigns/${campaign_id}`), ({ json }) => json.stats)
      assert.deepInclude(yield* stats, { total: 1, pending: 1, failed: 0 })
      assert.strictEqual((yield* server.post(`${one}/retry`)).json.status, "pending")

      const elsewhere = yield* server.workspaces.create({ name: "Other" })
      const stranger = { "x-api-key": yield* server.keyWith(allScopes, elsewhere.id) }
      refused(yield* server.call(one, { headers: stranger }), 404, "not_found", "no such recipient")
      refused(yield* server.call(one, { method: "DELETE", headers: stranger }), 404, "not_found")

      const removed = yield* server.call(one, { method: "DELETE" })
      assert.deepStrictEqual(removed.json, { id, deleted: true })
      assert.deepInclude(yield* stats, { total: 0, pending: 0 })
      refused(yield* server.call(one), 404, "not_found", "no such recipient")
      yield* server.add(campaign_id, [{ phone_number: number(9) }])
      const [other] = (yield* server.call(path)).json.data
      yield* server.patch(campaign_id, { status: "cancelled" })
      refused(yield* server.post(`${path}/${other.id}/retry`), 400, "invalid_request", "cancelled")
    })
  )
})
