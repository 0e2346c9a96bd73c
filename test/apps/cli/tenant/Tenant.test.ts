import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { completedCall, phoneNumber } from "../../../../adapters/http/contract/Examples.ts"
import { auditEntry, usage } from "../../../../adapters/http/contract/WorkspaceExamples.ts"
import { Agents } from "../../../../core/usecases/Agents.ts"
import { Credits } from "../../../../core/usecases/Credits.ts"
import { Workspaces } from "../../../../core/usecases/Workspaces.ts"
import { documentOf, folder, onNewDatabase } from "../commandLine.ts"
import { json, serving } from "../serving.ts"

describe("usage", () => {
  it.scopedLive("asks for what is wanted, and shows rows with their total", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) => json(response, usage))
      const shown = yield* run("usage", "--by", "agent", "--from", "2026-03-01T00:00:00Z")
      assert.strictEqual(shown.code, 0, shown.err)
      assert.strictEqual(requests[0]!.path, "/v0/usage?by=agent&from=2026-03-01T00%3A00%3A00.000Z")
      assert.match(shown.out, /^AGENT +ATTEMPTS +REACHED +MINUTES +MESSAGES +TURNS +CREDITS$/m)
      assert.match(shown.out, /^total +120 +64 +98.5 +0 +512 +131$/m)
      assert.deepStrictEqual(documentOf(yield* run("usage", "--json")), usage)
      assert.strictEqual((yield* run("usage", "--by", "hour")).code, 2)
    })
  )
})

describe("number", () => {
  it.scopedLive("adds, lists, labels and removes", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving(({ method, path }, response) => {
        if (method === "DELETE") return json(response, { id: phoneNumber.id, deleted: true })
        const page = { data: [phoneNumber], pagination: { limit: 100, offset: 0, total: 1 } }
        return json(response, path.includes("?") ? page : phoneNumber)
      })
      assert.include((yield* run("number", "list")).out, phoneNumber.number)
      assert.include((yield* run("number", "add", phoneNumber.number)).out, phoneNumber.id)
      yield* run("number", "label", phoneNumber.id, "--label", "Front desk")
      assert.include((yield* run("number", "remove", phoneNumber.id)).out, "is removed")
      assert.deepStrictEqual(
        requests.slice(1).map(({ body, method, path }) => [method, path, body.toString()]),
        [
          ["POST", "/v0/phone-numbers", JSON.stringify({ number: phoneNumber.number, label: null })],
          ["PATCH", `/v0/phone-numbers/${phoneNumber.id}`, '{"label":"Front desk"}'],
          ["DELETE", `/v0/phone-numbers/${phoneNumber.id}`, ""]
        ]
      )
    })
  )
})

describe("people", () => {
  it.scopedLive("exports to stdout or a file, and erases when told twice", () =>
    Effect.gen(function* () {
      const kept = `{"calls":[],"recipients":[],"on_do_not_call_list":true}`
      const erased = { calls: 3, recipients: 1, recordings: 2, transcripts: 2, under_way: 1 }
      const { requests, run } = yield* serving(({ path }, response) =>
        json(response, path.endsWith("export") ? kept : erased)
      )
      assert.strictEqual((yield* run("people", "export", "+14155550123")).out.trim(), kept)
      const file = join(yield* folder, "person.json")
      assert.include((yield* run("people", "export", "--output", file, "+14155550123")).out, "are in")
      assert.strictEqual((yield* Effect.promise(() => readFile(file, "utf8"))).trim(), kept)
      assert.strictEqual((yield* run("people", "erase", "+14155550123")).code, 2)
      assert.strictEqual(requests.length, 2)
      const done = yield* run("people", "erase", "--yes", "+14155550123")
      assert.match(done.out, /^UNDER WAY +1: erase again when they are over$/m)
      assert.strictEqual(requests[2]!.body.toString(), '{"phone_number":"+14155550123"}')
    })
  )
})

describe("audit", () => {
  it.scopedLive("walks by cursor up to its limit, and says what it leaves out", () =>
    Effect.gen(function* () {
      const entry = (n: number) => ({ ...auditEntry, id: `aud_${n}` })
      const { requests, run } = yield* serving(({ path }, response) => {
        const query = new URLSearchParams(path.split("?")[1])
        const from = Number(query.get("after")?.slice(4) ?? 0)
        const data = Array.from({ length: Number(query.get("limit")) }, (_, i) => entry(from + i + 1))
        json(response, { data, pagination: { limit: 100, offset: 0, total: 250 } })
      })
      const shown = yield* run("audit", "--operation", "updateCampaign", "--limit", "150", "--json")
      assert.strictEqual(documentOf<{ data: ReadonlyArray<object> }>(shown).data.length, 150)
      assert.strictEqual(shown.err, "100 more are not shown: see --limit.\n")
      assert.deepStrictEqual(
        requests.map(({ path }) => path),
        [
          "/v0/audit-log?operation=updateCampaign&limit=100",
          "/v0/audit-log?operation=updateCampaign&limit=50&after=aud_100"
        ]
      )
    })
  )
})

describe("events", () => {
  it.scopedLive("prints changes, connects anew where the stream ends, and ends after so many", () =>
    Effect.gen(function* () {
      const eventOf = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
      const { requests, run } = yield* serving((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end(
          `:\n\n${eventOf("ready", {})}${eventOf("call", completedCall)}${eventOf("run", { id: "run_1", status: "running" })}`
        )
      })
      const shown = yield* run("events", "--count", "3")
      assert.match(shown.out, /^\d{4}\S+ \S+ {2}call {2}call_\w+ {2}completed {2}answered$/m)
      assert.match(shown.out, / {2}run {2}run_1 {2}running$/m)
      assert.strictEqual(requests.length, 2)
      const lines = yield* run("events", "--only", "run", "--count", "1", "--json")
      assert.strictEqual(lines.out, '{"event":"run","data":{"id":"run_1","status":"running"}}\n')
    })
  )
})

describe("init", () => {
  it.scopedLive("sets up a workspace that can call at once", () =>
    Effect.gen(function* () {
      const { inStore, run } = yield* onNewDatabase()
      const made = yield* run(
        "init",
        "--name",
        "Acme",
        "--number",
        "+14155550100",
        "--credits",
        "7",
        "--json"
      )
      assert.strictEqual(made.code, 0, made.err)
      const ids = documentOf<Record<"workspace_id" | "agent_id" | "phone_number_id" | "key", string>>(made)
      yield* inStore(
        Effect.gen(function* () {
          const principal = yield* (yield* Workspaces).authenticate(ids.key)
          assert.strictEqual(Option.getOrThrow(principal).workspace_id, ids.workspace_id)
          assert.isTrue((yield* (yield* Agents).get(ids.workspace_id, ids.agent_id)).published)
          assert.strictEqual(yield* (yield* Credits).balance(ids.workspace_id), 7)
        })
      )
      const plain = yield* run("init")
      assert.match(plain.out, /^od_live_[0-9a-f]{16}_[0-9a-f]{64}\n$/)
      assert.match(plain.err, /^PHONE NUMBER +pn_/m)
      assert.match(plain.err, /outdial call place \+14155550123 --agent agent_\w+ --watch/)
      assert.strictEqual((yield* run("init", "--name", "Bad", "--number", "12")).code, 2)
    })
  )
})
