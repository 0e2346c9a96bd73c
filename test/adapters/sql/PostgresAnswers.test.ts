import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import type { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import { ScenarioGenerator } from "../../../core/ports/ScenarioGenerator.ts"
import { start } from "../http/Harness.ts"
import { freshDatabase, onUrl } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"
import { onFreshFile } from "./TemporaryFile.ts"

/** JSON texts that some store, driver or encoding is known to stumble over. */
const hostile = [
  '""',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\u0001\\u001f\\u007f\\u0080"',
  '"e\\u0301é"',
  '"\\ufeff\\uffff\\ufffd"',
  '"😀"',
  '"\\\\x00 \\\\ \'? $1 :a %_"',
  `"${"😀".repeat(64)}"`,
  `"${"x".repeat(200)}"`,
  `"${"ü".repeat(10_000)}"`,
  '"+14155550123"',
  '"+275760-09-13T00:00:00.000Z"',
  '"-271821-04-20T00:00:00.000Z"',
  "1e400",
  "-1e400",
  "9007199254740993",
  "0.1",
  "null",
  "{}",
  '{"a":1e400,"a":1.0,"\\u0000":"\\ud800","__proto__":12345678901234567890}',
  `${'{"a":'.repeat(63)}1${"}".repeat(63)}`
]

/** Bodies with one place each, `@`, for something hostile. */
const bodies: ReadonlyArray<readonly [path: string, method: string, body: string]> = [
  ...["name", "voice", "idle_timeout_end"].map(
    (field) => ["/agents", "POST", `{"name":"A","prompt":"P",${JSON.stringify(field)}:@}`] as const
  ),
  ["/agents/AGENT", "PATCH", '{"prompt":@}'],
  ...["callee_name", "metadata", "custom_variables"].map(
    (field) =>
      [
        "/calls",
        "POST",
        `{"agent_id":"AGENT","to_number":"+14155550123",${JSON.stringify(field)}:@}`
      ] as const
  ),
  ["/calls", "POST", '{"agent_id":"AGENT","to_number":"+14155550123","idempotency_key":@}'],
  ["/calls", "POST", '{"agent_id":"AGENT","to_number":"+14155550123","custom_variables":{"a":@}}'],
  ["/calls", "POST", '{"agent_id":"AGENT","to_number":"+14155550123","metadata":{"a":@}}'],
  ["/calls", "POST", '{"agent_id":@,"to_number":"+14155550123"}'],
  ...["name", "metadata", "scheduled_for", "max_concurrency"].map(
    (field) => ["/campaigns", "POST", `{"name":"C","agent_id":"AGENT",${JSON.stringify(field)}:@}`] as const
  ),
  ["/campaigns/CAMPAIGN", "PATCH", '{"name":@}'],
  [
    "/campaigns/CAMPAIGN/recipients",
    "POST",
    '{"recipients":[{"phone_number":"+14155550123","variables":@}]}'
  ],
  [
    "/campaigns/CAMPAIGN/recipients",
    "POST",
    '{"recipients":[{"phone_number":"+14155550124","variables":{"a":@}}]}'
  ],
  ["/campaigns/CAMPAIGN/recipients", "POST", '{"recipients":[{"phone_number":@}]}'],
  ["/agent-test-suites/generate", "POST", '{"agent_id":"AGENT","count":1,"name":@}'],
  ["/phone-numbers", "POST", '{"number":"+14155550101","label":@}'],
  ["/webhooks", "POST", '{"url":@}'],
  ["/do-not-call", "POST", '{"phone_numbers":[@]}'],
  [
    "/msg/templates",
    "POST",
    '{"name":"t","language":"en","category":"utility","components":[{"type":"body","text":@}]}'
  ]
]

const escapes = ["%00", "%ED%A0%80", "%F0%9F%98%80", "%27%3F", "%2525", "x".repeat(300), "-1", "1e400"]

const reads = [
  ...escapes.flatMap((text) => [
    `/calls/${text}`,
    `/agents/${text}`,
    `/campaigns/${text}/recipients`,
    `/do-not-call/${text}`,
    `/calls?agent_id=${text}`,
    `/calls?campaign_id=${text}&limit=2`,
    `/calls?offset=${text}`,
    `/calls?created_after=${text}`,
    `/msg/templates?name=${text}`,
    `/recordings?session_id=${text}`
  ]),
  "/calls?offset=1000000000",
  "/calls?limit=100&created_after=2100-12-31T23:59:59.999Z",
  "/calls?limit=100&created_before=2000-01-01T00:00:00.000Z",
  ...["agents", "calls", "campaigns", "phone-numbers", "webhooks", "do-not-call"].map(
    (list) => `/${list}?limit=100`
  ),
  "/campaigns/CAMPAIGN/recipients?limit=100",
  "/agent-test-suites?limit=100",
  "/msg/templates?limit=100",
  "/credits/ledger?limit=100"
]

const scenario = { label: "Hurried", instructions: "Be brief.", variables: {}, max_turns: 10, runs: 1 }
const generator = Layer.succeed(ScenarioGenerator, {
  generate: () => Effect.succeed({ scenarios: [scenario], usage: { input_tokens: 1, output_tokens: 1 } })
})

/** What a server on a store answers to all of it: ids by the order in which they are first seen, no times. */
const answersOn = Effect.fnUntraced(function* (repository: Layer.Layer<Repository, StoreUnavailable>) {
  const server = yield* start({ repository: Layer.orDie(repository), generator })
  yield* server.credits.topUp(server.workspace.id, 1_000_000, null)
  const created = (path: string, body: object) =>
    Effect.map(server.call(path, { body: JSON.stringify(body) }), ({ json }) => json.id as string)
  const agent = yield* created("/agents", { name: "A", prompt: "P" })
  yield* server.call(`/agents/${agent}/publish`, { method: "POST" })
  const campaign = yield* created("/campaigns", { name: "C", agent_id: agent })

  const keyId = server.key.split("_")[2]!
  const ids = new Map<string, string>()
  const masked = (text: string) =>
    text
      .replaceAll(/\b[a-z]+_[0-9a-z]{20,}/g, (id) => {
        if (!ids.has(id)) ids.set(id, `id${ids.size}`)
        return ids.get(id)!
      })
      .replaceAll(/"20\d\d-[\dT:.-]+Z"/g, '"T"')
      .replaceAll(/whsec_[^"]+/g, "whsec")
      .replaceAll(keyId, "key")
      .replaceAll(/"provider_template_id":"\d+"/g, '"provider_template_id":"1"')
  const asked = (text: string) => text.replaceAll("AGENT", agent).replaceAll("CAMPAIGN", campaign)
  const answer = (path: string, method: string, body?: string) =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${server.port}/v0${asked(path)}`, {
        method,
        headers: { "x-api-key": server.key, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: asked(body) })
      })
      const question = `${method} ${path} ${body ?? ""}`.slice(0, 200)
      return `${question}: ${response.status} ${masked(await response.text())}`
    })
  const answers: Array<string> = []
  for (const [path, method, body] of bodies) {
    for (const value of hostile)
      answers.push(
        yield* answer(
          path,
          method,
          body.replace("@", () => value)
        )
      )
  }
  for (const path of reads) answers.push(yield* answer(path, "GET"))
  return answers
})

onServer("answers to hostile input", (running) => {
  it.scopedLive(
    "are the same from memory, SQLite and PostgreSQL, and none of them is 500",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const stores = [MemoryRepository.layer, onFreshFile, onUrl(url)]
        const [memory, sqlite, postgres] = yield* Effect.forEach(stores, answersOn, {
          concurrency: "unbounded"
        })
        const differing = (answers: ReadonlyArray<string>) =>
          answers.flatMap((answer, n) => (answer === memory![n] ? [] : [[memory![n], answer]]))
        assert.deepStrictEqual(differing(sqlite!), [])
        assert.deepStrictEqual(differing(postgres!), [])
        assert.deepStrictEqual(
          memory!.filter((answer) => / 50\d \{/.test(answer)),
          []
        )
      }),
    120_000
  )
})
