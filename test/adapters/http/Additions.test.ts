import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { standardTalk } from "../../../core/model/agents/Talk.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { makeAttempt } from "../../contracts/repository/Fixtures.ts"
import { startCampaigns } from "./CampaignServer.ts"
import { minimal, start } from "./Harness.ts"

const webhook = { url: "https://example.com/hooks" }

describe("calls", () => {
  it.scopedLive("are listed newest first, in pages, through filters", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const ids: Array<string> = []
      for (const agent_id of ["agent_a", "agent_b", "agent_a"]) {
        ids.unshift((yield* server.call("/calls", { json: { ...minimal, agent_id } })).json.call_id)
      }
      yield* server.call(`/calls/${ids[0]}/cancel`, { method: "POST" })
      const list = (query: string) => Effect.map(server.call(`/calls${query}`), ({ json }) => json)
      const idsOf = (page: { data: ReadonlyArray<{ call_id: string }> }) =>
        page.data.map(({ call_id }) => call_id)

      const all = yield* list("")
      assert.deepStrictEqual(idsOf(all), ids)
      assert.deepStrictEqual(all.pagination, { limit: 50, offset: 0, total: 3 })
      const second = yield* list("?limit=1&offset=1")
      assert.deepStrictEqual(idsOf(second), [ids[1]])
      assert.deepStrictEqual(second.pagination, { limit: 1, offset: 1, total: 3 })
      assert.strictEqual((yield* list("?limit=100")).pagination.limit, 100)
      const behind = yield* list(`?limit=1&after=${ids[0]}`)
      assert.deepStrictEqual(idsOf(behind), [ids[1]])
      assert.deepStrictEqual(behind.pagination, { limit: 1, offset: 0, total: 3 })
      assert.deepStrictEqual(idsOf(yield* list(`?limit=1&before=${ids[2]}`)), [ids[1]])
      assert.deepStrictEqual(idsOf(yield* list("?agent_id=agent_b")), [ids[1]])
      assert.deepStrictEqual(idsOf(yield* list("?status=cancelled")), [ids[0]])
      assert.deepStrictEqual(idsOf(yield* list("?campaign_id=camp_1")), [])
      assert.deepStrictEqual(idsOf(yield* list("?status=cancelled,queued")), ids)
      assert.deepStrictEqual(idsOf(yield* list("?status=queued&status=failed")), ids.slice(1))
      assert.deepStrictEqual(idsOf(yield* list("?outcome=cancelled")), [ids[0]])
      assert.deepStrictEqual(idsOf(yield* list("?to_number=0123")), ids)
      assert.deepStrictEqual(idsOf(yield* list("?to_number=%2B14155550123&limit=1")), [ids[0]])
      assert.deepStrictEqual(idsOf(yield* list("?to_number=0124")), [])
      assert.deepStrictEqual(idsOf(yield* list("?session_id=sess_none")), [])
      assert.deepStrictEqual(idsOf(yield* list("?created_after=2000-01-01T00:00:00Z")), ids)
      assert.deepStrictEqual(idsOf(yield* list("?created_before=2000-01-01T00:00:00Z")), [])
      const named = yield* server.call("/workspace", {
        method: "PATCH",
        json: { indexed_metadata_keys: ["order"] }
      })
      assert.strictEqual(named.status, 200, named.text)
      const metadata = { order: 17, source: "web" }
      const { call_id } = (yield* server.call("/calls", {
        json: { ...minimal, metadata, idempotency_key: "k" }
      })).json
      assert.deepStrictEqual(idsOf(yield* list("?metadata.order=17")), [call_id])
      assert.deepStrictEqual(idsOf(yield* list("?metadata.order=18")), [])
      assert.deepStrictEqual(idsOf(yield* list("?metadata.source=web")), [])
      assert.deepStrictEqual(idsOf(yield* list("?metadata=17")), [call_id])
      assert.deepStrictEqual(idsOf(yield* list("?metadata=1")), [])
      assert.deepStrictEqual(idsOf(yield* list("?metadata=web")), [])
      assert.deepStrictEqual(idsOf(yield* list("?idempotency_key=k")), [call_id])
    })
  )

  it.scopedLive("refuse a parameter that they do not have, naming those that they have", () =>
    Effect.gen(function* () {
      const server = yield* start()
      for (const [path, known] of [
        [
          "/calls",
          "limit, offset, after, before, status, agent_id, campaign_id, outcome, from_phone_number_id, to_number, idempotency_key, session_id, metadata, created_after, created_before"
        ],
        ["/webhooks", "limit, offset, after, before"]
      ] as const) {
        const reply = yield* server.call(`${path}?colour=red`)
        assert.strictEqual(reply.status, 400, reply.text)
        assert.deepStrictEqual(reply.json, {
          error: {
            code: "invalid_request",
            message: `colour is not a parameter of this operation, which are ${known}`,
            details: { field: "colour" }
          }
        })
      }
    })
  )

  it.scopedLive("name every status when it is none, and skip as many records as documented", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const wrong = yield* server.call("/calls?status=lost")
      assert.strictEqual(
        wrong.json.error.message,
        'status must be "queued", "ringing", "in_progress", "retry_scheduled", "completed", "failed" or "cancelled"'
      )
      const far = yield* server.call("/calls?offset=1000000000")
      assert.deepStrictEqual(far.json, {
        data: [],
        pagination: { limit: 50, offset: 1_000_000_000, total: 0 }
      })
      const farther = yield* server.call("/calls?offset=1000000001")
      assert.strictEqual(farther.json.error.message, "offset must be an integer from 0 to 1000000000")
    })
  )

  it.scopedLive("refuse a query outside its rules, naming the parameter", () =>
    Effect.gen(function* () {
      const server = yield* start()
      for (const [query, name] of [
        ["limit=0", "limit"],
        ["limit=101", "limit"],
        ["limit=ten", "limit"],
        ["limit=1.5", "limit"],
        ["limit=", "limit"],
        ["limit=1e1", "limit"],
        ["limit=1&limit=2", "limit"],
        ["offset=-1", "offset"],
        ["offset=x", "offset"],
        ["status=lost", "status"],
        ["created_after=yesterday", "created_after"],
        ["created_before=2026-99-99", "created_before"],
        ["created_before=2026-01-01T09:00:00", "created_before"],
        ["created_after=0", "created_after"],
        ["agent_id=%00", "agent_id"],
        ["status=queued,lost", "status"],
        ["outcome=fine", "outcome"],
        ["to_number=123", "to_number"],
        ["to_number=%2B1415555x", "to_number"],
        ["metadata=17&metadata=18", "metadata"],
        ["metadata=%00", "metadata"],
        ["metadata=17&metadata.order=17", "metadata"],
        ["metadata.order=17&metadata.order=18", "metadata"],
        ["metadata.order=%00", "metadata"],
        ["offset=1000000001", "offset"],
        ["statsu=queued", "statsu"],
        ["after=call_none", "after"],
        ["before=call_none", "before"],
        ["after=a&before=b", "before"]
      ]) {
        const reply = yield* server.call(`/calls?${query}`)
        assert.strictEqual(reply.status, 400, `${query}: ${reply.text}`)
        assert.strictEqual(reply.json.error.code, "invalid_request")
        assert.include(reply.json.error.message, name!, query)
        assert.deepStrictEqual(reply.json.error.details, { field: name }, query)
      }
    })
  )

  it.scopedLive("are cancelled once: 409 after their end, 404 when there is none", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { call_id } = (yield* server.call("/calls", { json: minimal })).json
      const cancel = (id: string) => server.call(`/calls/${id}/cancel`, { method: "POST" })
      const cancelled = yield* cancel(call_id)
      assert.strictEqual(cancelled.status, 200)
      assert.strictEqual(cancelled.json.status, "cancelled")
      const again = yield* cancel(call_id)
      assert.strictEqual(again.status, 409)
      assert.strictEqual(again.json.error.code, "conflict")
      const none = yield* cancel("call_none")
      assert.strictEqual(none.status, 404)
      assert.strictEqual(none.json.error.code, "not_found")
    })
  )
})

describe("a call in full", () => {
  it.scopedLive("has its attempts and its transitions, for its own workspace alone", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { call_id } = (yield* server.call("/calls", { json: minimal })).json
      assert.deepStrictEqual((yield* server.call(`/calls/${call_id}/attempts`)).json, { data: [] })
      yield* server.call(`/calls/${call_id}/cancel`, { method: "POST" })
      const { data } = (yield* server.call(`/calls/${call_id}/events`)).json
      const told = { attempt_number: null, scheduled_for: null }
      assert.deepStrictEqual(
        data.map(({ at, ...rest }: { at: string }) => ({ ...rest, at: at.endsWith("Z") })),
        [
          { ...told, at: true, cause: "placed", status: "queued", outcome: null, sub_status: null },
          {
            ...told,
            at: true,
            cause: "cancelled",
            status: "cancelled",
            outcome: "cancelled",
            sub_status: "cancelled"
          }
        ]
      )
      yield* server.repository.attempts.insert(
        makeAttempt(1, {
          customer_id: server.workspace.id,
          call_id,
          outcome: "failed",
          sub_status: "carrier_error",
          error_code: "31404",
          duration_seconds: 3,
          credits: 2
        })
      )
      const [attempt] = (yield* server.call(`/calls/${call_id}/attempts`)).json.data
      assert.deepInclude(attempt, {
        call_id,
        session_id: "sess_000001",
        error_code: "31404",
        duration_seconds: 3,
        credits: 2
      })
      assert.deepStrictEqual(attempt.result, { outcome: "failed", sub_status: "carrier_error" })
      const elsewhere = yield* server.workspaces.create({ name: "Other" })
      const stranger = yield* server.keyWith(allScopes, elsewhere.id)
      for (const of of ["attempts", "events"]) {
        const reply = yield* server.call(`/calls/${call_id}/${of}`, { headers: { "x-api-key": stranger } })
        assert.strictEqual(reply.status, 404, of)
      }
    })
  )
})

describe("agents", () => {
  it.scopedLive("are created with defaults, changed, published and unpublished", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const draft = { name: "Reminders", prompt: "Remind {{name}} of {{ day }}, {{name}}." }
      const created = yield* server.call("/agents", { json: draft })
      assert.strictEqual(created.status, 200, created.text)
      const { created_at, id, updated_at, ...record } = created.json
      assert.match(id, /^agent_/)
      assert.strictEqual(created_at, updated_at)
      assert.deepStrictEqual(record, {
        ...draft,
        customer_id: server.workspace.id,
        channel: "voice",
        first_message: "",
        voice: "default",
        language: "en-US",
        published: false,
        version: null,
        unpublished_changes: false,
        ...standardTalk,
        idle_timeout_warning: 10,
        idle_timeout_end: 30,
        max_call_length: 3600,
        placeholders: ["name", "day"]
      })
      const changed = yield* server.call(`/agents/${id}`, { method: "PATCH", json: { name: "Other" } })
      assert.deepInclude(changed.json, { ...record, name: "Other" })
      const post = (verb: string) => server.call(`/agents/${id}/${verb}`, { method: "POST" })
      assert.strictEqual((yield* post("publish")).json.published, true)
      assert.strictEqual((yield* server.call("/agents?published=true")).json.pagination.total, 1)
      assert.strictEqual((yield* post("unpublish")).json.published, false)
      assert.strictEqual((yield* server.call("/agents?published=true")).json.pagination.total, 0)
      assert.strictEqual((yield* server.call("/agents")).json.data[0].id, id)
      assert.strictEqual((yield* server.call(`/agents/${id}`)).json.name, "Other")
    })
  )

  it.scopedLive("refuse what breaks a rule, and answer 404 when there is none", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const draft = { name: "A", prompt: "" }
      for (const [json, name] of [
        [{ prompt: "" }, "name"],
        [{ ...draft, name: "" }, "name"],
        [{ ...draft, name: "a\u0000" }, "name"],
        [{ ...draft, channel: "fax" }, "channel"],
        [{ ...draft, published: true }, "published"],
        [{ ...draft, id: "agent_1" }, "id"],
        [{ ...draft, max_call_length: 3601 }, "max_call_length"],
        [{ ...draft, idle_timeout_warning: 30 }, "idle_timeout_warning"],
        [{ ...draft, prompt: 1 }, "prompt"]
      ] as const) {
        const reply = yield* server.call("/agents", { json })
        assert.strictEqual(reply.status, 400, reply.text)
        assert.strictEqual(reply.json.error.details.field, name, reply.text)
        assert.include(reply.json.error.message, name)
      }
      assert.strictEqual((yield* server.call("/agents", { body: "{" })).status, 400)
      assert.strictEqual((yield* server.call("/agents")).json.pagination.total, 0)
      assert.strictEqual((yield* server.call("/agents/agent_none")).status, 404)
      const patch = yield* server.call("/agents/agent_none", { method: "PATCH", json: {} })
      assert.strictEqual(patch.status, 404)
    })
  )
})

describe("phone numbers", () => {
  it.scopedLive("are added once, listed and removed", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const number = "+33612345678"
      const added = yield* server.call("/phone-numbers", { json: { number, label: "Paris" } })
      assert.strictEqual(added.status, 200, added.text)
      assert.deepInclude(added.json, { customer_id: server.workspace.id, number, label: "Paris" })
      const again = yield* server.call("/phone-numbers", { json: { number } })
      assert.strictEqual(again.status, 409)
      assert.notInclude(again.text, number)
      const bad = yield* server.call("/phone-numbers", { json: { number: "0612345678" } })
      assert.strictEqual(bad.status, 400)
      assert.notInclude(bad.text, "0612345678")
      const key = yield* server.call("/phone-numbers", { json: { number, "+33611111111": 1 } })
      assert.strictEqual(key.status, 400)
      assert.notInclude(key.text, "+33611111111")
      assert.strictEqual((yield* server.call("/phone-numbers")).json.pagination.total, 2)
      const { id } = added.json
      const removed = yield* server.call(`/phone-numbers/${id}`, { method: "DELETE" })
      assert.deepStrictEqual(removed.json, { id, deleted: true })
      const gone = yield* server.call(`/phone-numbers/${id}`, { method: "DELETE" })
      assert.strictEqual(gone.status, 404)
    })
  )

  it.scopedLive(
    "stay while a running campaign dials from them: removing one is 409, naming the campaign",
    () =>
      Effect.gen(function* () {
        const server = yield* startCampaigns()
        const remove = server.call(`/phone-numbers/${server.from.id}`, { method: "DELETE" })
        const other = (yield* server.call("/phone-numbers", { json: { number: "+33612345678" } })).json.id
        const id = yield* server.filled
        yield* server.post(`/campaigns/${id}/start`)
        const refused = yield* remove
        assert.strictEqual(refused.status, 409, refused.text)
        assert.strictEqual(refused.json.error.code, "conflict")
        assert.deepStrictEqual(refused.json.error.details, { campaign_id: id })
        assert.strictEqual((yield* server.call(`/phone-numbers/${server.from.id}`)).status, 200)
        const unused = yield* server.call(`/phone-numbers/${other}`, { method: "DELETE" })
        assert.strictEqual(unused.status, 200, unused.text)
        yield* server.patch(id, { status: "paused" })
        assert.strictEqual((yield* remove).status, 200)
      })
  )

  it.scopedLive("are sought among all running campaigns, however many there are", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const { id } = (yield* server.call("/phone-numbers", { json: { number: "+33612345678" } })).json
      const first = yield* server.filled
      yield* server.patch(first, { from_phone_number_id: id })
      yield* server.post(`/campaigns/${first}/start`)
      for (let i = 0; i < 101; i++) yield* server.post(`/campaigns/${yield* server.filled}/start`)
      const refused = yield* server.call(`/phone-numbers/${id}`, { method: "DELETE" })
      assert.strictEqual(refused.status, 409, refused.text)
      assert.deepStrictEqual(refused.json.error.details, { campaign_id: first })
    })
  )
})

describe("webhooks", () => {
  it.scopedLive("show their secret when they are created and when it is rotated, and at no other time", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const created = yield* server.call("/webhooks", { json: webhook })
      assert.strictEqual(created.status, 200, created.text)
      const { id, secret } = created.json
      assert.match(secret, /^whsec_/)
      assert.deepInclude(created.json, { ...webhook, event_types: [], status: "active" })
      const rotated = yield* server.call(`/webhooks/${id}/rotate`, { method: "POST" })
      assert.match(rotated.json.secret, /^whsec_/)
      assert.notStrictEqual(rotated.json.secret, secret)
      const listed = yield* server.call("/webhooks")
      const changed = yield* server.call(`/webhooks/${id}`, {
        method: "PATCH",
        json: { status: "disabled", event_types: ["call_started"] }
      })
      assert.deepInclude(changed.json, { status: "disabled", disabled_reason: "user" })
      for (const { text } of [listed, changed]) assert.notInclude(text, "secret")
      const removed = yield* server.call(`/webhooks/${id}`, { method: "DELETE" })
      assert.deepStrictEqual(removed.json, { id, deleted: true })
      assert.strictEqual((yield* server.call(`/webhooks/${id}/rotate`, { method: "POST" })).status, 404)
    })
  )

  it.scopedLive("refuse addresses and properties that break a rule", () =>
    Effect.gen(function* () {
      const server = yield* start()
      for (const json of [
        {},
        { url: "ftp://example.com" },
        { url: 1 },
        { ...webhook, event_types: ["call_lost"] },
        { ...webhook, secret: "whsec_mine" },
        { url: "https://hooks.example.com/a\r\nb" },
        { url: "https://hooks.example.com/\n" },
        { url: "\thttps://hooks.example.com/" }
      ]) {
        const reply = yield* server.call("/webhooks", { json })
        assert.strictEqual(reply.status, 400, reply.text)
      }
      assert.strictEqual((yield* server.call("/webhooks")).json.pagination.total, 0)
    })
  )

  it.scopedLive(
    "list their deliveries, and send one once more unless it is on its way or the webhook is disabled",
    () =>
      Effect.gen(function* () {
        const server = yield* start()
        const { id } = (yield* server.call("/webhooks", { json: webhook })).json
        const { call_id } = (yield* server.call("/calls", { json: minimal })).json
        yield* server.call(`/calls/${call_id}/cancel`, { method: "POST" })
        const pending = yield* server.call(`/webhooks/${id}/deliveries?status=pending`)
        assert.strictEqual(pending.json.data.length, 1, pending.text)
        const [delivery] = pending.json.data
        assert.deepInclude(delivery, {
          call_id,
          webhook_id: id,
          customer_id: server.workspace.id,
          event_type: "call_completed"
        })
        const path = `/webhooks/${id}/deliveries/${delivery.id}/redeliver`
        assert.strictEqual((yield* server.call(path, { method: "POST" })).status, 409)
        yield* server.call(`/webhooks/${id}`, { method: "PATCH", json: { status: "disabled" } })
        const disabled = yield* server.call(path, { method: "POST" })
        assert.strictEqual(disabled.status, 409, disabled.text)
        assert.match(disabled.json.error.message, /disabled/)
        yield* server.call(`/webhooks/${id}`, { method: "PATCH", json: { status: "active" } })
        const again = yield* server.call(path, { method: "POST" })
        assert.strictEqual(again.status, 200, again.text)
        assert.deepInclude(again.json, { status: "pending", attempts: 0 })
        const none = yield* server.call(`/webhooks/${id}/deliveries/dlv_none/redeliver`, { method: "POST" })
        assert.strictEqual(none.status, 404)
        assert.strictEqual((yield* server.call("/webhooks/whk_none/deliveries")).status, 404)
        assert.strictEqual((yield* server.call(`/webhooks/${id}/deliveries?status=lost`)).status, 400)
        const ofCall = yield* server.call(`/webhooks/${id}/deliveries?call_id=${call_id}`)
        assert.deepStrictEqual(
          ofCall.json.data.map(({ id }: { readonly id: string }) => id),
          [delivery.id]
        )
        const ofNone = yield* server.call(`/webhooks/${id}/deliveries?call_id=call_none`)
        assert.deepStrictEqual(ofNone.json.pagination, { limit: 50, offset: 0, total: 0 })
      })
  )

  it.scopedLive(
    "are read, tried out, and sent all once more from a time on; a delivery shows its bodies",
    () =>
      Effect.gen(function* () {
        const server = yield* start()
        const { id, secret, ...created } = (yield* server.call("/webhooks", { json: webhook })).json
        assert.isString(secret)
        assert.deepStrictEqual((yield* server.call(`/webhooks/${id}`)).json, { id, ...created })
        assert.strictEqual((yield* server.call("/webhooks/whk_none")).status, 404)

        const tested = yield* server.call(`/webhooks/${id}/test`, { method: "POST" })
        assert.strictEqual(tested.status, 200, tested.text)
        assert.deepInclude(tested.json, { event_type: "webhook_test", call_id: null, subject_id: id })
        const read = yield* server.call(`/webhooks/${id}/deliveries/${tested.json.id}`)
        const { request_body, response_body, ...delivery } = read.json
        assert.deepStrictEqual(delivery, tested.json)
        assert.isNull(response_body)
        assert.deepStrictEqual(JSON.parse(request_body).data, { id, ...created })
        assert.strictEqual((yield* server.call(`/webhooks/${id}/deliveries/dlv_none`)).status, 404)

        const redeliver = (json: unknown, webhook_id = id) =>
          server.call(`/webhooks/${webhook_id}/redeliver`, { json })
        const since = "2020-01-01T00:00:00Z"
        const again = yield* redeliver({ since })
        assert.deepStrictEqual(again.json, { webhook_id: id, redelivered: 0 }, again.text)
        yield* server.call(`/webhooks/${id}`, { method: "PATCH", json: { status: "disabled" } })
        assert.strictEqual((yield* redeliver({ since })).status, 409)
        assert.strictEqual((yield* server.call(`/webhooks/${id}/test`, { method: "POST" })).status, 409)
        yield* server.call(`/webhooks/${id}`, { method: "PATCH", json: { status: "active" } })
        const dead = yield* redeliver({ since, status: "dead" })
        assert.deepStrictEqual(dead.json, { webhook_id: id, redelivered: 1 }, dead.text)
        assert.strictEqual((yield* redeliver({ since }, "whk_none")).status, 404)
        for (const json of [
          {},
          { since: "yesterday" },
          { since, status: "pending" },
          { since, until: since }
        ]) {
          assert.strictEqual((yield* redeliver(json)).status, 400, JSON.stringify(json))
        }
      })
  )
})

describe("credits", () => {
  it.scopedLive("are read as a balance and as the ledger that makes it", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { call_id } = (yield* server.call("/calls", { json: minimal })).json
      const balance = yield* server.call("/credits")
      assert.deepStrictEqual(balance.json, { customer_id: server.workspace.id, balance: 99 })
      const ledger = yield* server.call(`/credits/ledger?reference=${call_id}`)
      assert.strictEqual(ledger.json.data.length, 1, ledger.text)
      assert.deepInclude(ledger.json.data[0], { kind: "hold", amount: -1, reference: call_id })
      assert.strictEqual((yield* server.call("/credits/ledger")).json.pagination.total, 2)
    })
  )
})
