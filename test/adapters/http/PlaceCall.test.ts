import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { minimal, type Reply, start } from "./Harness.ts"

const refused = (reply: Reply, mentions: string) => {
  assert.strictEqual(reply.status, 400, reply.text)
  assert.strictEqual(reply.headers["content-type"], "application/json")
  assert.strictEqual(reply.json.error.code, "invalid_request")
  assert.include(reply.json.error.message, mentions)
}

const withConfig = (call_config: unknown) => ({ ...minimal, call_config })
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
const text = (length: number) => "x".repeat(length)

describe("POST /calls", () => {
  it.scopedLive("answers 200 with the record of a queued call", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const reply = yield* server.call("/calls", { json: { ...minimal, callee_name: "Ada" } })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual(reply.headers["content-type"], "application/json")
      assert.strictEqual(Number(reply.headers["content-length"]), reply.bytes.length)
      const { call_id, created_at, updated_at, ...record } = reply.json
      assert.match(call_id, /^call_/)
      assert.strictEqual(created_at, updated_at)
      assert.strictEqual(new Date(created_at).toISOString(), created_at)
      assert.deepStrictEqual(record, {
        customer_id: server.workspace.id,
        agent_id: "agent_1",
        status: "queued",
        outcome: null,
        sub_status: null,
        error: null,
        to_number_masked: "+*******0123",
        callee_name: "Ada",
        from_number: server.from.number,
        from_phone_number_id: server.from.id,
        scheduled_for: null,
        attempt_count: 0,
        session_id: null,
        agent_version: null,
        campaign_id: null,
        recipient_id: null,
        duration_seconds: 0,
        credits: 0,
        completed_at: null,
        custom_variables: {},
        call_config: {},
        smart_formatter: {},
        metadata: null
      })
      assert.notInclude(reply.text, minimal.to_number)
      assert.deepStrictEqual(server.woken, [server.workspace.id])
      const read = yield* server.call(`/calls/${call_id}`)
      assert.strictEqual(read.text, reply.text)
    })
  )

  it.scopedLive("echoes what was supplied as JSON byte for byte", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const metadata =
        '{ "b": 1.0,"a":12345678901234567890, "a":1e400 ,"é":"\\u00e9\\/","__proto__":{"x":[]} }'
      const variables = '{"n":1.50,"s":"\\u0041"}'
      const formatter = '{"z": [1.0, 2e0]}'
      const config = '{"max_call_length":6e2,"unknown":{"kept":1.0}}'
      const body =
        `{"agent_id":"agent_1","to_number":"+14155550123","metadata":${metadata},` +
        `"custom_variables":${variables},"smart_formatter":${formatter},"call_config":${config}}`
      const placed = yield* server.call("/calls", { body })
      assert.strictEqual(placed.status, 200, placed.text)
      const id = placed.json.call_id
      const listed = yield* server.call("/calls")
      const read = yield* server.call(`/calls/${id}`)
      const cancelled = yield* server.call(`/calls/${id}/cancel`, { method: "POST" })
      for (const { text } of [placed, listed, read, cancelled]) {
        assert.include(text, `"metadata":${metadata}`)
        assert.include(text, `"custom_variables":${variables}`)
        assert.include(text, `"smart_formatter":${formatter}`)
        assert.include(text, `"call_config":${config}`)
      }
      assert.strictEqual(cancelled.json.status, "cancelled")
    })
  )

  const invalid: ReadonlyArray<readonly [name: string, body: unknown, mentions: string]> = [
    ["a missing agent_id", { to_number: "+14155550123" }, "agent_id"],
    ["a missing to_number", { agent_id: "agent_1" }, "to_number"],
    ["an agent_id of another type", { ...minimal, agent_id: 1 }, "agent_id"],
    ["an empty agent_id", { ...minimal, agent_id: "" }, "agent_id"],
    ["a to_number that is a number", { ...minimal, to_number: 14155550123 }, "to_number"],
    ["a to_number without its +", { ...minimal, to_number: "14155550123" }, "to_number"],
    ["a to_number of sixteen digits", { ...minimal, to_number: "+1234567890123456" }, "to_number"],
    ["a to_number with a leading zero", { ...minimal, to_number: "+0155550123" }, "to_number"],
    ["a to_number in fullwidth digits", { ...minimal, to_number: "+１４１５５５５０１２３" }, "to_number"],
    ["a to_number with a line break", { ...minimal, to_number: "+14155550123\n" }, "to_number"],
    ["a callee_name of 129 characters", { ...minimal, callee_name: text(129) }, "callee_name"],
    ["a callee_name that is null", { ...minimal, callee_name: null }, "callee_name"],
    ["an escaped NUL in a name", { ...minimal, callee_name: "a\u0000b" }, "callee_name"],
    ["65 custom variables", { ...minimal, custom_variables: keys(65) }, "custom_variables"],
    [
      "custom variables above 30,000 bytes",
      { ...minimal, custom_variables: { a: text(30_000) } },
      "custom_variables"
    ],
    ["a custom variable that is a list", { ...minimal, custom_variables: { a: [] } }, "custom_variables"],
    ["custom variables that are a list", { ...minimal, custom_variables: [] }, "custom_variables"],
    ["a custom variable with a NUL", { ...minimal, custom_variables: { a: "\u0000" } }, "custom_variables"],
    ["metadata above 16,384 bytes", { ...minimal, metadata: { a: text(16_384) } }, "metadata"],
    ["metadata that is a string", { ...minimal, metadata: "x" }, "metadata"],
    ["an idempotency_key with a space", { ...minimal, idempotency_key: "a b" }, "idempotency_key"],
    ["an empty idempotency_key", { ...minimal, idempotency_key: "" }, "idempotency_key"],
    ["an idempotency_key of 129 characters", { ...minimal, idempotency_key: text(129) }, "idempotency_key"],
    ["an idempotency_key with a line break", { ...minimal, idempotency_key: "a\n" }, "idempotency_key"],
    ["an unknown property", { ...minimal, surprise: 1 }, "surprise"],
    ["a max_call_length of 3601", withConfig({ max_call_length: 3601 }), "max_call_length"],
    ["a max_call_length of 0", withConfig({ max_call_length: 0 }), "max_call_length"],
    ["a max_call_length of a half", withConfig({ max_call_length: 0.5 }), "max_call_length"],
    ["a retry_count of 10", withConfig({ call_retry_config: { retry_count: 10 } }), "retry_count"],
    ["a retry_count below 0", withConfig({ call_retry_config: { retry_count: -1 } }), "retry_count"],
    ["a negative retry_busy", withConfig({ call_retry_config: { retry_busy: -1 } }), "retry_busy"],
    [
      "a warning that is not before the end",
      withConfig({ idle_timeout_warning: 30, idle_timeout_end: 30 }),
      "idle_timeout_warning"
    ],
    [
      "25:00",
      withConfig({
        call_time: { call_start_time: "25:00", call_end_time: "18:00", timezone: "Europe/Paris" }
      }),
      "call_start_time"
    ],
    [
      "Mars/Olympus",
      withConfig({
        call_time: { call_start_time: "09:00", call_end_time: "18:00", timezone: "Mars/Olympus" }
      }),
      "timezone"
    ],
    [
      "a window without a zone",
      withConfig({ call_time: { call_start_time: "09:00", call_end_time: "18:00" } }),
      "timezone"
    ],
    ["a list", [], "object"],
    ["a string", "x", "object"],
    ["null", null, "object"]
  ]

  const invalidTexts: ReadonlyArray<readonly [name: string, body: string | Uint8Array, mentions: string]> = [
    ["no body", "", "JSON"],
    ["half a body", '{"agent_id":"agent_1"', "JSON"],
    ["a raw NUL", '{"agent_id":"a\u0000","to_number":"+14155550123"}', "JSON"],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), "UTF-8"],
    ["UTF-16", Buffer.from(JSON.stringify(minimal), "utf16le"), "JSON"],
    [
      "a lone surrogate in a name",
      '{"agent_id":"agent_1","to_number":"+14155550123","callee_name":"\\ud800"}',
      "callee_name"
    ],
    [
      "8,000 nested brackets in metadata",
      `{"agent_id":"agent_1","to_number":"+14155550123","metadata":{"a":${"[".repeat(8_000)}${"]".repeat(8_000)}}}`,
      "metadata"
    ],
    ["8,000 nested brackets alone", `${"[".repeat(8_000)}${"]".repeat(8_000)}`, "object"],
    [
      "__proto__ at the top level",
      '{"agent_id":"agent_1","to_number":"+14155550123","__proto__":{"callee_name":"x"}}',
      "__proto__"
    ],
    [
      "an object under __proto__ in custom_variables",
      '{"agent_id":"agent_1","to_number":"+14155550123","custom_variables":{"__proto__":{"a":"x"}}}',
      "custom_variables"
    ]
  ]

  it.scopedLive("takes __proto__ for a key of custom_variables as any other", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const custom_variables = '{"__proto__":"x","constructor":"y"}'
      const body = `{"agent_id":"agent_1","to_number":"+14155550123","custom_variables":${custom_variables}}`
      const reply = yield* server.call("/calls", { body })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.include(reply.text, `"custom_variables":${custom_variables}`)
      const many = JSON.stringify(Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`k${i}`, ""])))
      const tooMany = body.replace(custom_variables, many.replace("{", '{"__proto__":"x",'))
      assert.include((yield* server.call("/calls", { body: tooMany })).text, "at most 64 keys")
    })
  )

  it.scopedLive("counts the characters of callee_name as JSON Schema does", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const named = (n: number) =>
        server.call("/calls", { json: { ...minimal, callee_name: "😀".repeat(n) } })
      assert.strictEqual((yield* named(128)).json.callee_name, "😀".repeat(128))
      const longer = yield* named(129)
      assert.strictEqual(longer.status, 400)
      assert.deepStrictEqual(longer.json.error.message, "callee_name must be at most 128 characters long")
    })
  )

  it.scopedLive("answers 400 to whatever breaks a rule, naming it, storing nothing and using up no key", () =>
    Effect.gen(function* () {
      const server = yield* start()
      let keyed = 0
      for (const [name, body, mentions] of invalid) {
        const isObject = typeof body === "object" && body !== null && !Array.isArray(body)
        const idempotency_key = `key-${keyed++}`
        const reply = yield* server.call("/calls", {
          json: isObject ? { idempotency_key, ...body } : body
        })
        assert.strictEqual(reply.status, 400, `${name}: ${reply.text}`)
        refused(reply, mentions)
        assert.notInclude(reply.text, "4155550123", name)
      }
      for (const [name, body, mentions] of invalidTexts) {
        const reply = yield* server.call("/calls", { body, method: "POST" })
        assert.strictEqual(reply.status, 400, `${name}: ${reply.text}`)
        refused(reply, mentions)
      }
      assert.strictEqual(yield* server.countCalls, 0)
      assert.deepStrictEqual(server.woken, [])
      for (let i = 0; i < keyed; i++) {
        const reply = yield* server.call("/calls", { json: { ...minimal, idempotency_key: `key-${i}` } })
        assert.strictEqual(reply.status, 200, reply.text)
      }
    })
  )

  it.scopedLive("takes every value at its limit", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const frame = JSON.stringify({ a: "" }).length
      const atLimit = {
        ...minimal,
        callee_name: text(128),
        idempotency_key: `${text(118)}AZaz09_.:-`,
        custom_variables: keys(64),
        metadata: { a: text(16_384 - frame) },
        call_config: {
          idle_timeout_warning: 1,
          idle_timeout_end: 2,
          max_call_length: 3600,
          call_retry_config: { retry_count: 9, retry_busy: 0, retry_not_picked: 0, retry_failed: 0 },
          call_time: { call_start_time: "22:00", call_end_time: "06:00", timezone: "Asia/Kolkata" }
        }
      }
      const reply = yield* server.call("/calls", { json: atLimit })
      assert.strictEqual(reply.status, 200, reply.text)
      const variables = yield* server.call("/calls", {
        json: { ...minimal, custom_variables: { a: text(30_000 - frame) } }
      })
      assert.strictEqual(variables.status, 200, variables.text)
    })
  )

  it.scopedLive(
    "answers a duplicate idempotency key with 409, naming the call that has it, whatever the body",
    () =>
      Effect.gen(function* () {
        const server = yield* start()
        const json = { ...minimal, idempotency_key: "order-1" }
        const replies = yield* Effect.all(
          Array.from({ length: 8 }, () => server.call("/calls", { json })),
          { concurrency: "unbounded" }
        )
        const [placed] = replies.filter(({ status }) => status === 200)
        const repeated = replies.filter(({ status }) => status === 409)
        assert.strictEqual(repeated.length, 7)
        for (const { json } of repeated) {
          assert.strictEqual(json.error.code, "conflict")
          assert.deepStrictEqual(json.error.details, { call_id: placed!.json.call_id })
        }
        const other = yield* server.call("/calls", { json: { ...json, to_number: "+14155550199" } })
        assert.strictEqual(other.status, 409)
        assert.strictEqual(yield* server.countCalls, 1)
      })
  )

  it.scopedLive(
    "answers 402 without credits, 404 for a foreign caller ID, and 503 while the carrier is away",
    () =>
      Effect.gen(function* () {
        const server = yield* start()
        const json = { ...minimal, idempotency_key: "once" }
        const unknown = yield* server.call("/calls", {
          json: { ...json, from_phone_number_id: "pn_unknown" }
        })
        assert.strictEqual(unknown.status, 404)
        assert.strictEqual(unknown.json.error.code, "not_found")

        server.carrier.available = false
        const away = yield* server.call("/calls", { json })
        assert.strictEqual(away.status, 503)
        assert.strictEqual(away.json.error.code, "service_unavailable")
        assert.match(away.headers["retry-after"]!, /^[1-9][0-9]*$/)
        server.carrier.available = true

        yield* server.credits.topUp(server.workspace.id, -100, null)
        const poor = yield* server.call("/calls", { json })
        assert.strictEqual(poor.status, 402)
        assert.strictEqual(poor.json.error.code, "insufficient_credits")

        yield* server.credits.topUp(server.workspace.id, 1, null)
        const placed = yield* server.call("/calls", { json })
        assert.strictEqual(placed.status, 200, placed.text)
      })
  )

  it.scopedLive(
    "takes JSON by its content type, with a charset, or with no type at all, and nothing else",
    () =>
      Effect.gen(function* () {
        const server = yield* start()
        const body = JSON.stringify(minimal)
        const post = (headers: Record<string, string>) =>
          server.raw("/v0/calls", { method: "POST", body, headers: { "x-api-key": server.key, ...headers } })
        for (const type of [
          "application/json",
          "application/json; charset=utf-8",
          "Application/JSON;charset=UTF-8"
        ]) {
          const reply = yield* post({ "content-type": type })
          assert.strictEqual(reply.status, 200, `${type}: ${reply.text}`)
        }
        assert.strictEqual((yield* post({})).status, 200)
        for (const headers of [
          { "content-type": "text/plain" },
          { "content-type": "multipart/form-data; boundary=x" },
          { "content-type": "application/x-www-form-urlencoded" },
          { "content-type": "application/json; charset=utf-16" },
          { "content-type": "application/json", "content-encoding": "gzip" }
        ]) {
          const reply = yield* post(headers)
          assert.strictEqual(reply.status, 415, reply.text)
          assert.strictEqual(reply.json.error.code, "invalid_request")
        }
      })
  )
})
