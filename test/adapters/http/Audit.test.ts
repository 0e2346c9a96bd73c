import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Template from "../../../adapters/http/contract/TemplateExamples.ts"
import { operations } from "../../../adapters/http/server/Audit.ts"
import { Database } from "../../../adapters/sql/Database.ts"
import { layer as repository } from "../../../adapters/sql/Repository.ts"
import { platformWide, StoreUnavailable } from "../../../core/ports/Repository.ts"
import { makeAttempt, makeCall, makeRecording, makeSession } from "../../contracts/repository/Fixtures.ts"
import { onFreshFile } from "../sql/TemporaryFile.ts"
import { captured, form, minimal, type Sent, start } from "./Harness.ts"

/** A store on a file that takes no entry of the audit log while it is told so, and goes on with anything else. */
const forgetful = (forgets: () => boolean) =>
  Layer.fresh(repository).pipe(
    Layer.provideMerge(
      Layer.effect(
        Database,
        Effect.map(Database, (database) =>
          Database.of({
            ...database,
            run: (workspace_id, sql, ...rest) =>
              sql.startsWith("insert into audit_log") && forgets()
                ? Effect.die(new StoreUnavailable({ cause: "no room" }))
                : database.run(workspace_id, sql, ...rest)
          })
        )
      )
    ),
    Layer.provide(onFreshFile)
  )

/** What a request leaves behind that was not carried out: its key, and that a credential was used. */
const left = "update api_keys set last_used_at = null"

const startForgetful = Effect.gen(function* () {
  let forgets = false
  const server = yield* start({ repository: Layer.orDie(forgetful(() => forgets)), extra: captured().layer })
  const database = Context.unsafeGet(
    server.context as Context.Context<unknown> as Context.Context<Database>,
    Database
  )
  const tables = yield* database.all<{ readonly name: string }>(
    platformWide,
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'answers'",
    []
  )
  const everything = Effect.gen(function* () {
    yield* database.run(platformWide, left, [])
    const found: Record<string, ReadonlyArray<object>> = {}
    for (const { name } of tables)
      found[name] = yield* database.all(platformWide, `select * from ${name}`, [])
    return found
  })
  const entries = Effect.map(server.call("/audit-log?limit=100"), ({ json }) => json.data)
  return { ...server, database, everything, entries, forget: (now: boolean) => (forgets = now) }
})

describe("an entry of the audit log", () => {
  it.scopedLive("is written in the unit of its change: where it cannot be, nothing is changed", () =>
    Effect.gen(function* () {
      const server = yield* startForgetful
      const { attempts, calls, recordings, sessions } = server.repository
      const seen = new Set<string>()

      /** Carries an operation out that is told once, and changes nothing while it cannot be told. */
      const noted = Effect.fnUntraced(function* (
        operation: string,
        path: string,
        sent: Sent & { readonly json?: unknown } = {},
        object_id?: string | null
      ) {
        seen.add(operation)
        const wanted = { method: "POST", ...sent }
        const before = yield* server.everything
        server.forget(true)
        const failed = yield* server.call(path, wanted)
        server.forget(false)
        assert.isAtLeast(failed.status, 500, `${operation}: ${failed.text}`)
        const { ledger: _, ...after } = yield* server.everything
        const { ledger: __, ...unchanged } = before
        assert.deepStrictEqual(after, unchanged, operation)
        const told = (yield* server.entries).length
        const reply = yield* server.call(path, wanted)
        assert.strictEqual(reply.status, 200, `${operation}: ${reply.text}`)
        const entries = yield* server.entries
        assert.strictEqual(entries.length, told + 1, operation)
        const named = /_/.test(path.split("/")[2] ?? "") ? path.split("/")[2] : reply.json.id
        assert.deepInclude(entries[0], { operation, object_id: object_id === undefined ? named : object_id })
        return reply.json
      })

      const { workspace } = server
      yield* noted("updateWorkspace", "/workspace", { method: "PATCH", json: { name: "Acme" } }, workspace.id)
      yield* noted("rotateToolSecret", "/workspace/tool-secret/rotate", {}, null)
      const draft = { name: "Ada", prompt: "Greet {{name}}.", first_message: "Hello" }
      const { id: agent_id } = yield* noted("createAgent", "/agents", { json: draft })
      const keyed = { json: draft, headers: { "idempotency-key": "once" } }
      const { id: second } = yield* noted("createAgent", "/agents", keyed)
      yield* noted("updateAgent", `/agents/${agent_id}`, { method: "PATCH", json: { name: "Mia" } })
      yield* noted("publishAgent", `/agents/${agent_id}/publish`)
      yield* noted("publishAgentVersion", `/agents/${agent_id}/versions/1/publish`, {}, "1")
      yield* noted("unpublishAgent", `/agents/${agent_id}/unpublish`)
      yield* noted("deleteAgent", `/agents/${second}`, { method: "DELETE" })

      const suite = {
        agent_id,
        name: "Greeting",
        scenarios: [{ label: "a", instructions: "Answer.", runs: 1, max_turns: 2 }]
      }
      const { id: suite_id } = yield* noted("createTestSuite", "/agent-test-suites", { json: suite })
      const changed = { method: "PATCH", json: { name: "Greetings" } }
      yield* noted("updateTestSuite", `/agent-test-suites/${suite_id}`, changed)
      const generated = { json: { agent_id, count: 1 } }
      const { id: made } = yield* noted("generateTestSuite", "/agent-test-suites/generate", generated)
      yield* noted("removeTestSuite", `/agent-test-suites/${made}`, { method: "DELETE" })
      const { id: run_id } = yield* noted("startTestRun", "/agent-test-runs", { json: { suite_id } })
      yield* noted("cancelTestRun", `/agent-test-runs/${run_id}/cancel`)

      const { id: campaign_id } = yield* noted("createCampaign", "/campaigns", {
        json: { name: "March", agent_id }
      })
      const campaign = `/campaigns/${campaign_id}`
      yield* noted("updateCampaign", campaign, { method: "PATCH", json: { name: "April" } })
      const recipients = [{ phone_number: "+14155550123" }, { phone_number: "+14155550124" }]
      const added = yield* noted("addRecipients", `${campaign}/recipients`, { json: { recipients } })
      const [one, two] = added.recipients.map(({ id }: { id: string }) => id)
      const variables = { method: "PATCH", json: { variables: { name: "Ada" } } }
      yield* noted("updateRecipient", `${campaign}/recipients/${one}`, variables, one)
      yield* noted("retryRecipient", `${campaign}/recipients/${one}/retry`, {}, one)
      yield* noted("deleteRecipient", `${campaign}/recipients/${two}`, { method: "DELETE" }, two)
      const file = form({ content: "phone\n+14155550125\n" })
      yield* noted("importRecipients", `${campaign}/recipients/import`, file)
      yield* noted("startCampaign", `${campaign}/start`)
      yield* server.call(campaign, { method: "PATCH", json: { status: "cancelled" } })
      yield* noted("deleteCampaign", campaign, { method: "DELETE" })

      yield* noted("addDoNotCall", "/do-not-call", { json: { phone_numbers: ["+14155550199"] } }, null)
      yield* noted("removeDoNotCall", "/do-not-call/+14155550199", { method: "DELETE" }, null)
      yield* noted("importDoNotCall", "/do-not-call/import", file, null)

      const number = { json: { number: "+14155550101", label: null } }
      const { id: number_id } = yield* noted("addPhoneNumber", "/phone-numbers", number)
      const label = { method: "PATCH", json: { label: "Desk" } }
      yield* noted("updatePhoneNumber", `/phone-numbers/${number_id}`, label)
      yield* noted("removePhoneNumber", `/phone-numbers/${number_id}`, { method: "DELETE" })

      const { id: template_id } = yield* noted("createMessageTemplate", "/msg/templates", {
        json: Template.draft
      })
      yield* noted(
        "removeMessageTemplate",
        `/msg/templates/${template_id}`,
        { method: "DELETE" },
        template_id
      )

      const { id: webhook_id } = yield* noted("createWebhook", "/webhooks", {
        json: { url: "https://example.com/hooks" }
      })
      const webhook = `/webhooks/${webhook_id}`
      yield* noted("updateWebhook", webhook, { method: "PATCH", json: { event_types: ["call_started"] } })
      yield* noted("rotateWebhookSecret", `${webhook}/rotate`)
      const { id: delivery_id } = yield* noted("testWebhook", `${webhook}/test`)
      const bury = server.database.run(platformWide, "update deliveries set status = 'dead'", [])
      yield* bury
      yield* noted("redeliver", `${webhook}/deliveries/${delivery_id}/redeliver`, {}, delivery_id)
      yield* bury
      const since = { json: { since: "2020-01-01T00:00:00Z" } }
      yield* noted("redeliverSince", `${webhook}/redeliver`, since)
      yield* noted("removeWebhook", webhook, { method: "DELETE" })

      const { id: key_id } = yield* noted("createApiKey", "/api-keys", {
        json: { name: "second", scopes: ["sessions:read"] }
      })
      yield* noted("updateApiKey", `/api-keys/${key_id}`, { method: "PATCH", json: { name: "third" } })
      yield* noted("revokeApiKey", `/api-keys/${key_id}/revoke`)

      const { call_id } = (yield* server.call("/calls", { json: minimal })).json
      yield* noted("cancelCall", `/calls/${call_id}/cancel`)
      const { id: batch_id } = (yield* server.call("/call-batches", { json: { calls: [minimal] } })).json
      yield* noted("cancelCallBatch", `/call-batches/${batch_id}/cancel`)

      const of = { customer_id: workspace.id, call_id: "call_000001", session_id: "sess_000001" }
      yield* calls.insert(makeCall(1, { ...of, phase: "done", to_number: "+14155550777" }))
      yield* attempts.insert(makeAttempt(1, of))
      yield* sessions.insert(makeSession(1, { ...of, status: "over", ended_at: 1 }))
      const recording = makeRecording(1, of)
      yield* recordings.insert(recording)
      yield* noted("removeRecording", `/recordings/${recording.id}`, { method: "DELETE" })
      yield* noted("deleteTranscript", `/sessions/${of.session_id}/transcript`, { method: "DELETE" })
      yield* noted("erasePerson", "/people/erase", { json: { phone_number: "+14155550777" } }, null)
      yield* server.call("/people/export", { json: { phone_number: "+14155550777" } })
      assert.strictEqual((yield* server.entries)[0].operation, "exportPerson")

      const unseen = [...operations.values()].filter((operation) => !seen.has(operation))
      assert.deepStrictEqual(unseen, ["exportPerson"])
    })
  )
})
