import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Outcome } from "../../../core/model/calls/Call.ts"
import { hour } from "../../../core/model/Codecs.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { makeAttempt } from "../../contracts/repository/Fixtures.ts"
import { startCampaigns } from "./CampaignServer.ts"
import type { Reply } from "./Harness.ts"

const refused = (reply: Reply, status: number, code: string, mentions = "") => {
  assert.strictEqual(reply.status, status, reply.text)
  assert.strictEqual(reply.json.error.code, code)
  assert.include(reply.json.error.message, mentions)
}

const idsOf = ({ json }: Reply) => json.data.map(({ id }: { id: string }) => id)

describe("POST /campaigns", () => {
  it.scopedLive("answers 200 with the record of a draft, which reading and listing repeat", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const created = yield* server.create()
      assert.strictEqual(created.status, 200, created.text)
      assert.strictEqual(created.headers["content-type"], "application/json")
      const { created_at, id, updated_at, ...record } = created.json
      assert.match(id, /^camp_/)
      assert.strictEqual(created_at, updated_at)
      assert.strictEqual(new Date(created_at).toISOString(), created_at)
      const counts = { total: 0, pending: 0, in_progress: 0, retry_scheduled: 0, completed: 0, failed: 0 }
      assert.deepStrictEqual(record, {
        customer_id: server.workspace.id,
        name: "March",
        agent_id: server.agent.id,
        channel: "voice",
        status: "draft",
        status_reason: null,
        from_phone_number_id: server.from.id,
        max_concurrency: null,
        calls_per_minute: null,
        recipient_timezone: null,
        skip_public_holidays: false,
        failure_breaker: { share: 0.5, window: 50, least: 20 },
        scheduled_for: null,
        started_at: null,
        completed_at: null,
        stats: { ...counts, skipped: 0, attempts: 0, answered: 0 },
        template: null,
        call_config: {},
        metadata: null
      })
      assert.strictEqual((yield* server.call(`/campaigns/${id}`)).text, created.text)
      assert.include((yield* server.call("/campaigns")).text, created.text)
    })
  )

  it.scopedLive("keeps what is supplied as JSON byte for byte, through a change and a start", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const metadata = '{ "b": 1.0,"a":12345678901234567890, "a":1e400 ,"__proto__":{"x":[]} }'
      const config = '{"max_call_length":6e2,"unknown":{"kept":1.0}}'
      const body = (fields: string) => `{"metadata":${metadata},"call_config":${config}${fields}}`
      const created = yield* server.call("/campaigns", {
        body: body(`,"name":"March","agent_id":"${server.agent.id}"`)
      })
      assert.strictEqual(created.status, 200, created.text)
      const { id } = created.json
      const changed = yield* server.call(`/campaigns/${id}`, { method: "PATCH", body: body("") })
      yield* server.add(id, [{ phone_number: "+14155550123" }])
      const started = yield* server.post(`/campaigns/${id}/start`)
      for (const { text } of [created, changed, started, yield* server.call("/campaigns")]) {
        assert.include(text, `"metadata":${metadata}`)
        assert.include(text, `"call_config":${config}`)
      }
      const cleared = yield* server.patch(id, { metadata: null })
      assert.strictEqual(cleared.status, 422, "a running campaign keeps its metadata")
    })
  )

  it.scopedLive("with a time is scheduled for it, and wakes the workspace", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const scheduled_for = "2099-01-01T00:00:00.000Z"
      const created = yield* server.create({ scheduled_for, max_concurrency: 5, calls_per_minute: 60 })
      assert.deepInclude(created.json, {
        status: "scheduled",
        scheduled_for,
        max_concurrency: 5,
        calls_per_minute: 60
      })
      assert.include(server.woken, server.workspace.id)
    })
  )

  const invalid = [
    ["no name", { name: undefined }, "name"],
    ["a blank name", { name: " " }, "name"],
    ["a name of 201 characters", { name: "x".repeat(201) }, "name"],
    ["a name with a NUL", { name: "a\u0000" }, "name"],
    ["no agent_id", { agent_id: undefined }, "agent_id"],
    ["another channel", { channel: "mail" }, "channel"],
    ["a max_concurrency of 0", { max_concurrency: 0 }, "max_concurrency"],
    ["a calls_per_minute of a half", { calls_per_minute: 0.5 }, "calls_per_minute"],
    ["skip_public_holidays as a text", { skip_public_holidays: "FR" }, "skip_public_holidays"],
    ["public holidays without a window", { skip_public_holidays: true }, "skip_public_holidays"],
    ["another recipient_timezone", { recipient_timezone: "Europe/Paris" }, "recipient_timezone"],
    ["a failure_breaker that is a number", { failure_breaker: 0.5 }, "failure_breaker"],
    ["a failure_breaker of null", { failure_breaker: null }, "failure_breaker"],
    ["a share of 0", { failure_breaker: { share: 0 } }, "share"],
    ["a share above 1", { failure_breaker: { share: 1.01 } }, "share"],
    ["a window of 0", { failure_breaker: { window: 0 } }, "window"],
    ["a window of 201", { failure_breaker: { window: 201 } }, "window"],
    ["a window of a half", { failure_breaker: { window: 1.5 } }, "window"],
    ["a least above its window", { failure_breaker: { window: 10, least: 11 } }, "least"],
    ["a least above the standard window", { failure_breaker: { least: 51 } }, "least"],
    ["an unknown part of failure_breaker", { failure_breaker: { most: 1 } }, "most"],
    ["a scheduled_for that is no time", { scheduled_for: "soon" }, "scheduled_for"],
    ["a scheduled_for without an offset", { scheduled_for: "2090-01-01T09:00:00" }, "offset"],
    [
      "a scheduled_for that is not on the calendar",
      { scheduled_for: "2090-02-30T09:00:00Z" },
      "scheduled_for"
    ],
    ["a scheduled_for of the year 2101", { scheduled_for: "2101-01-01T00:00:00Z" }, "from 2000 to 2100"],
    ["a scheduled_for of the year 2000", { scheduled_for: "0" }, "scheduled_for"],
    ["a scheduled_for in the past", { scheduled_for: "2020-01-01T00:00:00Z" }, "must not be in the past"],
    ["a max_call_length of 3601", { call_config: { max_call_length: 3601 } }, "max_call_length"],
    ["metadata above 16,384 bytes", { metadata: { a: "x".repeat(16_384) } }, "metadata"],
    ["metadata that is a list", { metadata: [] }, "metadata"],
    ["a status", { status: "running" }, "status"],
    ["an unknown property", { surprise: 1 }, "surprise"]
  ] as const

  it.scopedLive("answers 400 to whatever breaks a rule, naming it, and stores nothing", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      for (const [name, over, mentions] of invalid) {
        const reply = yield* server.create(over)
        assert.strictEqual(reply.status, 400, `${name}: ${reply.text}`)
        refused(reply, 400, "invalid_request", mentions)
      }
      for (const body of ["", "{", "[]", "null"]) {
        refused(yield* server.call("/campaigns", { method: "POST", body }), 400, "invalid_request", "JSON")
      }
      const typed = yield* server.call("/campaigns", {
        body: "{}",
        headers: { "content-type": "text/plain" }
      })
      refused(typed, 415, "invalid_request")
      const large = yield* server.create({ metadata: { a: "x".repeat(300_000) } })
      refused(large, 413, "invalid_request", "262144")
      assert.strictEqual((yield* server.call("/campaigns")).json.pagination.total, 0)
    })
  )

  it.scopedLive(
    "answers 404 for a foreign agent or caller ID, 400 when there is no number to dial from",
    () =>
      Effect.gen(function* () {
        const server = yield* startCampaigns()
        refused(yield* server.create({ agent_id: "agent_none" }), 404, "not_found", "agent")
        refused(yield* server.create({ from_phone_number_id: "pn_none" }), 404, "not_found", "phone number")
        yield* server.call(`/phone-numbers/${server.from.id}`, { method: "DELETE" })
        refused(yield* server.create(), 400, "invalid_request", "phone number")
      })
  )
})

describe("GET /campaigns", () => {
  it.scopedLive("lists newest first, in pages, through filters", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const other = (yield* server.call("/agents", { json: { name: "B", prompt: "" } })).json.id
      const ids: Array<string> = []
      for (const agent_id of [server.agent.id, other, server.agent.id]) {
        ids.unshift(yield* server.campaign({ agent_id }))
      }
      yield* server.patch(ids[0]!, { status: "cancelled" })
      const list = (query: string) => server.call(`/campaigns${query}`)
      const all = yield* list("")
      assert.deepStrictEqual(idsOf(all), ids)
      assert.deepStrictEqual(all.json.pagination, { limit: 50, offset: 0, total: 3 })
      const second = yield* list("?limit=1&offset=1")
      assert.deepStrictEqual(idsOf(second), [ids[1]])
      assert.deepStrictEqual(second.json.pagination, { limit: 1, offset: 1, total: 3 })
      assert.deepStrictEqual(idsOf(yield* list(`?agent_id=${other}`)), [ids[1]])
      assert.deepStrictEqual(idsOf(yield* list("?status=cancelled")), [ids[0]])
      assert.deepStrictEqual(idsOf(yield* list("?created_after=2000-01-01T00:00:00Z")), ids)
      assert.deepStrictEqual(idsOf(yield* list("?created_before=2000-01-01T00:00:00Z")), [])
      for (const query of ["limit=0", "limit=101", "offset=-1", "status=lost", "created_after=now"]) {
        const reply = yield* list(`?${query}`)
        refused(reply, 400, "invalid_request", query.split("=")[0])
      }
    })
  )
})

describe("PATCH /campaigns/{campaign_id}", () => {
  it.scopedLive("changes what is given, pauses, and cancels for good", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.filled
      const changed = yield* server.patch(id, { name: "April", max_concurrency: 7, metadata: { a: 1 } })
      assert.strictEqual(changed.status, 200, changed.text)
      assert.deepInclude(changed.json, { id, name: "April", max_concurrency: 7, status: "draft" })
      assert.strictEqual((yield* server.patch(id, {})).json.name, "April")
      yield* server.post(`/campaigns/${id}/start`)
      const paused = yield* server.patch(id, { status: "paused" })
      assert.deepInclude(paused.json, { status: "paused", status_reason: "user" })
      const resumed = yield* server.post(`/campaigns/${id}/start`)
      assert.deepInclude(resumed.json, { status: "running", status_reason: null })
      const cancelled = yield* server.patch(id, { status: "cancelled" })
      assert.deepInclude(cancelled.json, { status: "cancelled", status_reason: "user" })
      assert.isString(cancelled.json.completed_at)
      assert.strictEqual((yield* server.call(`/campaigns/${id}`)).text, cancelled.text)
    })
  )

  it.scopedLive("sets the circuit breaker, while the campaign does not run", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const created = yield* server.create({
        failure_breaker: { share: 0.25, window: 10 },
        recipient_timezone: "by_number",
        skip_public_holidays: true,
        call_config: {
          call_time: { call_start_time: "09:00", call_end_time: "17:00", timezone: "Europe/Paris" }
        }
      })
      assert.strictEqual(created.json.recipient_timezone, "by_number")
      assert.isTrue(created.json.skip_public_holidays)
      const windowless = yield* server.patch(created.json.id, { call_config: {} })
      assert.strictEqual(windowless.status, 422)
      assert.include(windowless.text, "skip_public_holidays needs call_config.call_time")
      assert.deepStrictEqual(created.json.failure_breaker, { share: 0.25, window: 10, least: 10 })
      const id = yield* server.filled
      const breakerOf = (failure_breaker: unknown) =>
        Effect.map(server.patch(id, { failure_breaker }), ({ json }) => json.failure_breaker)
      assert.deepStrictEqual(yield* breakerOf({ least: 5 }), { share: 0.5, window: 50, least: 5 })
      assert.deepStrictEqual(yield* breakerOf({ share: 1 }), { share: 1, window: 50, least: 20 })
      yield* server.post(`/campaigns/${id}/start`)
      const refusal = yield* server.patch(id, { failure_breaker: { share: 0.1 } })
      assert.strictEqual(refusal.status, 422)
      assert.include(refusal.text, "failure_breaker cannot be changed while the campaign is running")
      yield* server.patch(id, { status: "paused" })
      assert.deepStrictEqual(yield* breakerOf({ share: 0.1, window: 200 }), {
        share: 0.1,
        window: 200,
        least: 20
      })
      assert.deepStrictEqual(yield* breakerOf({}), { share: 0.5, window: 50, least: 20 })
    })
  )

  const detail = (loc: ReadonlyArray<string>, type: string, input: unknown) => ({
    loc: ["body", ...loc],
    type,
    input
  })

  const invalid: ReadonlyArray<readonly [string, string | Uint8Array, ReadonlyArray<object>]> = [
    ["no body", "", [detail([], "json_invalid", null)]],
    ["half a body", '{"name":"x"', [detail([], "json_invalid", null)]],
    ["invalid UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), [detail([], "json_invalid", null)]],
    ["a list", "[]", [detail([], "value_error", null)]],
    ["a name of another type", '{"name":1}', [detail(["name"], "value_error", 1)]],
    ["an empty name", '{"name":""}', [detail(["name"], "value_error", "")]],
    ["an unknown property", '{"surprise":true}', [detail(["surprise"], "extra_forbidden", true)]],
    ["a status of its own", '{"status":"running"}', [detail(["status"], "value_error", "running")]],
    ["a cap of 0", '{"calls_per_minute":0}', [detail(["calls_per_minute"], "value_error", 0)]],
    [
      "a share of 2",
      '{"failure_breaker":{"share":2}}',
      [detail(["failure_breaker", "share"], "value_error", 2)]
    ],
    ["a cap that is a list", '{"max_concurrency":[1]}', [detail(["max_concurrency"], "value_error", null)]],
    [
      "a time that is none",
      '{"scheduled_for":"2026-99-99"}',
      [detail(["scheduled_for"], "value_error", "2026-99-99")]
    ],
    [
      "a window without its zone",
      '{"call_config":{"call_time":{"call_start_time":"09:00","call_end_time":"10:00"}}}',
      [detail(["call_config", "call_time", "timezone"], "missing", null)]
    ],
    [
      "an agent that is none",
      '{"agent_id":"agent_none"}',
      [detail(["agent_id"], "value_error", "agent_none")]
    ],
    [
      "a caller ID that is none",
      '{"from_phone_number_id":"pn_none"}',
      [detail(["from_phone_number_id"], "value_error", "pn_none")]
    ],
    ["pausing a draft", '{"status":"paused"}', [detail(["status"], "value_error", "paused")]],
    [
      "three faults",
      '{"name":"","max_concurrency":0,"surprise":[]}',
      [
        detail(["name"], "value_error", ""),
        detail(["max_concurrency"], "value_error", 0),
        detail(["surprise"], "extra_forbidden", null)
      ]
    ],
    ["a phone number for an id", '{"agent_id":14155550123}', [detail(["agent_id"], "value_error", null)]],
    [
      "a phone number for a cap",
      '{"max_concurrency":"+1 (415) 555-0123"}',
      [detail(["max_concurrency"], "value_error", null)]
    ],
    ["a phone number for a property", '{"+14155550123":1}', [detail([], "extra_forbidden", 1)]],
    [
      "an address for a property",
      '{"email":"ada@example.com"}',
      [detail(["email"], "extra_forbidden", null)]
    ],
    ["a long name", JSON.stringify({ name: "x".repeat(201) }), [detail(["name"], "value_error", null)]]
  ]

  it.scopedLive("answers 422 to invalid input, with every fault, and changes nothing", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const before = yield* server.create()
      const path = `/campaigns/${before.json.id}`
      for (const [name, body, expected] of invalid) {
        const reply = yield* server.call(path, { method: "PATCH", body })
        assert.strictEqual(reply.status, 422, `${name}: ${reply.text}`)
        assert.deepStrictEqual(Object.keys(reply.json), ["detail"])
        const found: Array<object> = []
        for (const { ctx, input, loc, msg, type, ...rest } of reply.json.detail) {
          assert.deepStrictEqual([ctx, rest], [{}, {}])
          assert.isAbove(msg.length, 10, name)
          found.push({ loc, type, input })
        }
        assert.sameDeepMembers(found, [...expected], name)
        assert.notMatch(reply.text.replaceAll(/\D/g, ""), /4155550123/, name)
      }
      assert.strictEqual((yield* server.call(path)).text, before.text)
    })
  )

  it.scopedLive("takes a scheduled_for of less than a minute ago, and answers an earlier one with 422", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const before = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
      const { json } = yield* server.create()
      const at = (scheduled_for: string) =>
        server.call(`/campaigns/${json.id}`, { method: "PATCH", json: { scheduled_for } })
      const late = yield* at(before(61))
      assert.strictEqual(late.status, 422, late.text)
      assert.deepInclude(late.json.detail[0], {
        loc: ["body", "scheduled_for"],
        msg: "scheduled_for must not be in the past"
      })
      assert.strictEqual((yield* at(before(20))).status, 200)
      assert.strictEqual((yield* server.create({ scheduled_for: before(20) })).status, 200)
    })
  )

  it.scopedLive("answers 422 to what may not change in its state, naming the state", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.filled
      yield* server.post(`/campaigns/${id}/start`)
      const later = "2099-01-01T00:00:00.000Z"
      const running = yield* server.patch(id, {
        metadata: {},
        scheduled_for: later,
        agent_id: server.agent.id
      })
      assert.strictEqual(running.status, 422, running.text)
      const locs = running.json.detail.map(({ loc }: { loc: ReadonlyArray<string> }) => loc[1])
      assert.sameMembers(locs, ["metadata", "scheduled_for", "agent_id"])
      for (const { msg } of running.json.detail) assert.include(msg, "running")
      yield* server.patch(id, { status: "cancelled" })
      const ended = yield* server.patch(id, { max_concurrency: 1 })
      assert.strictEqual(ended.status, 422)
      assert.include(ended.json.detail[0].msg, "cancelled")
      assert.strictEqual((yield* server.patch(id, { name: "Done" })).status, 200)
    })
  )

  it.scopedLive("answers all else in the coded form: 404, 413 and 415", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.campaign()
      refused(yield* server.patch("camp_none", { name: "x" }), 404, "not_found", "campaign")
      refused(yield* server.patch(id, { name: "x".repeat(300_000) }), 413, "invalid_request")
      const headers = { "content-type": "text/plain" }
      const typed = yield* server.call(`/campaigns/${id}`, { method: "PATCH", body: "{}", headers })
      refused(typed, 415, "invalid_request")
    })
  )
})

describe("POST /campaigns/{campaign_id}/start", () => {
  it.scopedLive("starts a draft, leaves a running one as it is, and ignores a body", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.filled
      server.woken.length = 0
      const started = yield* server.call(`/campaigns/${id}/start`, {
        method: "POST",
        body: "not JSON",
        headers: { "content-type": "text/plain" }
      })
      assert.strictEqual(started.status, 200, started.text)
      assert.deepInclude(started.json, { id, status: "running", status_reason: null })
      assert.isString(started.json.started_at)
      assert.strictEqual(started.json.stats.total, 1)
      assert.deepStrictEqual(server.woken, [server.workspace.id])
      assert.strictEqual((yield* server.post(`/campaigns/${id}/start`)).text, started.text)
    })
  )

  it.scopedLive(
    "answers 400 without recipients and after the end, 404 for none, 503 while the carrier is away",
    () =>
      Effect.gen(function* () {
        const server = yield* startCampaigns()
        const empty = yield* server.campaign()
        refused(yield* server.post(`/campaigns/${empty}/start`), 400, "invalid_request", "no recipient")
        refused(yield* server.post("/campaigns/camp_none/start"), 404, "not_found", "campaign")
        const id = yield* server.filled
        server.carrier.available = false
        const away = yield* server.post(`/campaigns/${id}/start`)
        refused(away, 503, "service_unavailable")
        assert.match(away.headers["retry-after"]!, /^[1-9][0-9]*$/)
        assert.strictEqual((yield* server.call(`/campaigns/${id}`)).json.status, "draft")
        server.carrier.available = true
        yield* server.patch(id, { status: "cancelled" })
        refused(yield* server.post(`/campaigns/${id}/start`), 400, "invalid_request", "cancelled")
        const state = yield* Effect.flatten(server.repository.campaigns.get(server.workspace.id, empty))
        yield* server.repository.campaigns.update({ ...state.campaign, status: "completed" })
        refused(yield* server.post(`/campaigns/${empty}/start`), 400, "invalid_request", "completed")
      })
  )
})

describe("GET /campaigns/{campaign_id}/attempts", () => {
  it.scopedLive("lists newest first, in pages, through filters, with the contract's fields", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const campaign_id = yield* server.campaign()
      const customer_id = server.workspace.id
      const { attempts, campaigns } = server.repository
      for (const [n, over] of [
        { recipient_id: "rcpt_1", status: "completed" as const, outcome: "answered" as const },
        { recipient_id: "rcpt_2", status: "failed" as const, outcome: "busy" as const },
        { recipient_id: "rcpt_2", status: "in_progress" as const }
      ].entries()) {
        yield* attempts.insert(
          makeAttempt(n + 1, { customer_id, campaign_id, call_id: `call_${n}`, ...over })
        )
      }
      const { counters } = yield* Effect.flatten(campaigns.get(customer_id, campaign_id))
      yield* campaigns.saveCounters({ ...counters, attempts: 3 })
      const list = (query = "") => server.call(`/campaigns/${campaign_id}/attempts${query}`)
      const all = yield* list()
      assert.deepStrictEqual(all.json.pagination, { limit: 50, offset: 0, total: 3 })
      assert.deepStrictEqual(idsOf(all), ["att_000003", "att_000002", "att_000001"])
      const at = new Date(makeAttempt(1).created_at).toISOString()
      assert.deepStrictEqual(all.json.data[2], {
        id: "att_000001",
        call_id: "call_0",
        campaign_id,
        recipient_id: "rcpt_1",
        session_id: "sess_000001",
        channel: "voice",
        attempt_number: 1,
        status: "completed",
        scheduled_for: new Date(makeAttempt(1).scheduled_for).toISOString(),
        started_at: null,
        completed_at: null,
        provider_message_id: null,
        error_code: null,
        error_message: null,
        from_number: "+14155550100",
        result: { outcome: "answered" },
        created_at: at,
        updated_at: at
      })
      assert.deepStrictEqual(idsOf(yield* list("?limit=1&offset=1")), ["att_000002"])
      const second = yield* list("?recipient_id=rcpt_2")
      assert.deepStrictEqual(idsOf(second), ["att_000003", "att_000002"])
      assert.strictEqual(second.json.pagination.total, 2)
      assert.deepStrictEqual(idsOf(yield* list("?status=failed")), ["att_000002"])
      assert.strictEqual((yield* list("?channel=voice")).json.pagination.total, 3)
      assert.deepStrictEqual((yield* list("?channel=msg")).json.data, [])
      for (const query of ["status=lost", "channel=fax", "limit=0"]) {
        refused(yield* list(`?${query}`), 400, "invalid_request", query.split("=")[0])
      }
      refused(yield* server.call("/campaigns/camp_none/attempts"), 404, "not_found", "campaign")
    })
  )
})

describe("GET /campaigns/{campaign_id}/progress", () => {
  it.scopedLive("tells the counters, and how attempts ended in each minute, hour or day", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.filled
      const from = Date.parse("2026-03-02T10:00:00Z")
      const count = (at: number, outcome: Outcome) =>
        server.repository.campaigns.countOutcome(server.workspace.id, id, at, outcome, 1)
      yield* count(from, "answered")
      yield* count(from + 60_000, "answered")
      yield* count(from + 60_000, "busy")
      yield* count(from + hour, "no_answer")
      const progress = (query: string) => server.call(`/campaigns/${id}/progress${query}`)
      const window = "from=2026-03-02T10:00:00Z&until=2026-03-02T12:00:00Z"
      const hours = yield* progress(`?${window}`)
      assert.strictEqual(hours.status, 200, hours.text)
      const { series, stats, ...rest } = hours.json
      assert.deepStrictEqual(rest, {
        campaign_id: id,
        status: "draft",
        next_retry_at: null,
        interval: "hour",
        from: "2026-03-02T10:00:00.000Z",
        until: "2026-03-02T12:00:00.000Z"
      })
      assert.strictEqual(stats.pending, 1)
      assert.deepStrictEqual(series, [
        { at: "2026-03-02T10:00:00.000Z", attempts: 3, outcomes: { answered: 2, busy: 1 } },
        { at: "2026-03-02T11:00:00.000Z", attempts: 1, outcomes: { no_answer: 1 } }
      ])
      assert.strictEqual((yield* progress(`?interval=minute&${window}`)).json.series.length, 3)
      assert.strictEqual((yield* progress(`?interval=day&${window}`)).json.series[0].attempts, 4)
      assert.deepStrictEqual((yield* progress("?until=2026-03-02T10:00:00Z")).json.series, [])
      const within = yield* progress("?interval=minute&from=2026-03-02T10:00:10Z&until=2026-03-02T12:00:00Z")
      assert.strictEqual(within.json.series.length, 3, "the minute of `from` counts as a whole")
      for (const query of ["interval=week", "from=yesterday", "until=x"]) {
        refused(yield* progress(`?${query}`), 400, "invalid_request", query.split("=")[0])
      }
      refused(yield* server.call("/campaigns/camp_none/progress"), 404, "not_found", "campaign")
    })
  )
})

describe("campaigns", () => {
  it.scopedLive("take bearer tokens too, where those carry the scope", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.filled
      const authorization = `Bearer ${yield* server.token(["campaigns:read", "campaigns:write"])}`
      const started = yield* server.raw(`/v0/campaigns/${id}/start`, {
        method: "POST",
        headers: { authorization }
      })
      assert.strictEqual(started.status, 200, started.text)
      const reader = { authorization: `Bearer ${yield* server.token(["campaigns:read"])}` }
      assert.strictEqual((yield* server.raw(`/v0/campaigns/${id}/attempts`, { headers: reader })).status, 200)
      for (const path of [`/v0/campaigns/${id}/start`, `/v0/campaigns/${id}/recipients/import`]) {
        const reply = yield* server.raw(path, { method: "POST", headers: reader })
        refused(reply, 403, "forbidden", "campaigns:write")
        refused(yield* server.raw(path, { method: "POST" }), 401, "unauthorized")
      }
    })
  )

  it.scopedLive("of another workspace are answered as unknown ones", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const id = yield* server.filled
      const stranger = yield* server.workspaces.create({ name: "Other" })
      const headers = { "x-api-key": yield* server.keyWith(allScopes, stranger.id) }
      const recipients = { recipients: [{ phone_number: "+14155550124" }] }
      for (const [method, path, json] of [
        ["GET", "", undefined],
        ["PATCH", "", { name: "mine" }],
        ["POST", "/start", undefined],
        ["GET", "/attempts", undefined],
        ["GET", "/progress", undefined],
        ["GET", "/recipients", undefined],
        ["POST", "/recipients", recipients],
        ["GET", "/imports", undefined],
        ["GET", "/imports/imp_1", undefined],
        ["GET", "/results.csv", undefined]
      ] as const) {
        const ask = (campaign: string) =>
          server.call(`/campaigns/${campaign}${path}`, { method, headers, ...(json && { json }) })
        const foreign = yield* ask(id)
        refused(foreign, 404, "not_found", "campaign")
        assert.strictEqual(foreign.text, (yield* ask("camp_unknown")).text, `${method} ${path}`)
      }
      assert.strictEqual((yield* server.call("/campaigns", { headers })).json.pagination.total, 0)
      assert.strictEqual((yield* server.call(`/campaigns/${id}`)).json.name, "March")
    })
  )
})
