import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { phoneNumber } from "../../../../adapters/http/contract/Examples.ts"
import { usage } from "../../../../adapters/http/contract/WorkspaceExamples.ts"
import { Agents } from "../../../../core/usecases/Agents.ts"
import { Credits } from "../../../../core/usecases/Credits.ts"
import { Workspaces } from "../../../../core/usecases/Workspaces.ts"
import { documentOf, onNewDatabase } from "../commandLine.ts"
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
      const plain = yield* run("init", "--name", "Other")
      assert.match(plain.out, /^od_live_[0-9a-f]{16}_[0-9a-f]{64}\n$/)
      assert.include(plain.err, "number add")
      assert.strictEqual((yield* run("init", "--name", "Bad", "--number", "12")).code, 2)
    })
  )
})
