import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { makeAttempt, makeRecording, makeSession } from "../../contracts/repository/Fixtures.ts"
import { startCampaigns } from "./CampaignServer.ts"
import { minimal } from "./Harness.ts"

const phone_number = minimal.to_number

describe("a person", () => {
  it.scopedLive("is exported and erased across the workspace, and erased again without harm", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const { repository, workspace } = server
      const metadata = { mail: "ada@example.com", n: 1 }
      const place = (more: object) =>
        Effect.map(
          server.call("/calls", { json: { ...minimal, callee_name: "Ada", metadata, ...more } }),
          ({ json }) => json
        )
      const call = yield* place({ custom_variables: { name: "Ada" } })
      const stranger = yield* place({ to_number: "+14155550199" })
      const open = yield* place({})
      yield* server.post(`/calls/${call.call_id}/cancel`)
      const recording = makeRecording(1, {
        customer_id: workspace.id,
        call_id: call.call_id,
        session_id: "sess_1"
      })
      yield* repository.recordings.insert(recording)
      const of = { customer_id: workspace.id, call_id: call.call_id, session_id: "sess_1" }
      yield* repository.attempts.insert(makeAttempt(1, of))
      yield* repository.sessions.insert(makeSession(1, { ...of, status: "over", ended_at: 1 }))
      const campaign = yield* server.campaign()
      yield* server.add(campaign, [
        { phone_number, variables: { name: "Ada" } },
        { phone_number: "+14155550188" }
      ])
      yield* server.call("/do-not-call", { json: { phone_numbers: [phone_number] } })

      const ask = (what: string) => server.call(`/people/${what}`, { json: { phone_number } })
      const exported = yield* ask("export")
      assert.strictEqual(exported.status, 200, exported.text)
      assert.sameMembers(
        exported.json.calls.map((each: { call: { call_id: string } }) => each.call.call_id),
        [call.call_id, open.call_id]
      )
      const [cancelled] = exported.json.calls.filter(
        (each: { call: { call_id: string } }) => each.call.call_id === call.call_id
      )
      assert.deepStrictEqual(cancelled.call.metadata, metadata)
      assert.lengthOf(cancelled.recordings, 1)
      assert.lengthOf(cancelled.transcripts, 1)
      assert.deepStrictEqual(exported.json.recipients[0].variables, { name: "Ada" })
      assert.isTrue(exported.json.on_do_not_call_list)
      const foreign = yield* server.workspaces.create({ name: "Other" })
      const headers = { "x-api-key": yield* server.keyWith(["people:write"], foreign.id) }
      const theirs = yield* server.call("/people/export", { json: { phone_number }, headers })
      assert.deepStrictEqual(theirs.json, { calls: [], recipients: [], on_do_not_call_list: false })
      yield* server.call("/people/erase", { json: { phone_number }, headers })

      const counts = { recordings: 0, transcripts: 0, recipients: 0, calls: 0, under_way: 1 }
      assert.deepStrictEqual((yield* ask("erase")).json, {
        ...counts,
        calls: 1,
        recipients: 1,
        recordings: 1,
        transcripts: 1
      })
      const stored = Option.getOrThrow(yield* repository.sessions.get(workspace.id, "sess_1"))
      assert.strictEqual(stored.settings.first_message, "")
      const left = (yield* server.call(`/calls/${call.call_id}`)).json
      assert.deepInclude(left, {
        to_number_masked: "",
        callee_name: null,
        metadata: null,
        custom_variables: {}
      })
      assert.deepInclude(left, { status: "cancelled", created_at: call.created_at })
      assert.strictEqual((yield* server.call(`/calls/${stranger.call_id}`)).json.callee_name, "Ada")
      const { data } = (yield* server.call(`/campaigns/${campaign}/recipients`)).json
      assert.deepStrictEqual(
        data.map(({ phone_number_masked, status, variables }: Record<string, unknown>) => [
          phone_number_masked,
          status,
          variables
        ]),
        [
          ["+*******0188", "pending", {}],
          ["", "skipped", {}]
        ]
      )
      const { stats } = (yield* server.call(`/campaigns/${campaign}`)).json
      assert.deepInclude(stats, { total: 2, pending: 1, skipped: 1 })
      assert.deepStrictEqual((yield* ask("erase")).json, counts)
      yield* server.post(`/calls/${open.call_id}/cancel`)
      assert.deepStrictEqual((yield* ask("erase")).json, { ...counts, calls: 1, under_way: 0 })
      const nothing = (yield* ask("export")).json
      assert.deepStrictEqual(nothing, { calls: [], recipients: [], on_do_not_call_list: true })
      const listed = (yield* server.call("/do-not-call")).json.data
      assert.lengthOf(listed, 1)
      assert.match(listed[0].phone_number, /^hmac-sha256:/)
      assert.deepStrictEqual(
        (yield* server.call(`/do-not-call?phone_number=${encodeURIComponent(phone_number)}`)).json.data,
        listed
      )
      const later = yield* server.campaign()
      yield* server.add(later, [{ phone_number }])
      const imported = (yield* server.call(`/campaigns/${later}/recipients`)).json.data
      assert.deepInclude(imported[0], { status: "skipped" })
      const removed = yield* server.call(`/do-not-call/${phone_number}`, { method: "DELETE" })
      assert.strictEqual(removed.status, 200, removed.text)
      assert.deepStrictEqual((yield* server.call("/do-not-call")).json.data, [])
      assert.strictEqual(
        (yield* server.call("/people/erase", { json: { phone_number: "0123" } })).status,
        400
      )
    })
  )
})
