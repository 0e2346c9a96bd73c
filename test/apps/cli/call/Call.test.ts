import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Campaigns from "../../../../adapters/http/contract/CampaignExamples.ts"
import {
  call,
  callAttempt,
  callBatch,
  cancelledCall,
  completedCall
} from "../../../../adapters/http/contract/Examples.ts"
import { session } from "../../../../adapters/http/contract/SessionExamples.ts"
import * as Templates from "../../../../adapters/http/contract/TemplateExamples.ts"
import { folder } from "../commandLine.ts"
import { type Answering, json, refusal, serving } from "../serving.ts"

const pageOf = (record: object) => ({ data: [record], pagination: { limit: 100, offset: 0, total: 1 } })
const eventOf = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

const turn = {
  role: "agent",
  text: "Hello Ada.",
  generated: null,
  started_at: "2026-03-02T09:30:05.000Z",
  ended_at: "2026-03-02T09:30:06.000Z",
  interrupted: false,
  digits: false,
  tool: null,
  first_token_ms: null,
  first_sound_ms: null
}

describe("call", () => {
  it.scopedLive("places: what is given goes into the body, metadata as it stands", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) => json(response, call))
      const options = ["--agent", "agent_1", "--variable", "name=Ada=1", "--retries", "2", "--name", "Ada"]
      const placed = yield* run("call", "place", ...options, "--metadata", '{"n":1.0}', "+14155550123")
      assert.strictEqual(placed.code, 0, placed.err)
      assert.include(placed.out, call.call_id)
      assert.include(placed.err, `outdial call watch ${call.call_id}`)
      assert.strictEqual(
        requests[0]!.body.toString(),
        '{"agent_id":"agent_1","to_number":"+14155550123","callee_name":"Ada","custom_variables":{"name":"Ada=1"},' +
          '"call_config":{"call_retry_config":{"retry_count":2}},"metadata":{"n":1.0}}'
      )
      for (const wrong of [
        ["--metadata", "[1]"],
        ["--variable", "name"],
        ["--window", "09:00-17:00"]
      ]) {
        const refused = yield* run("call", "place", "--agent", "a", ...wrong, "+14155550123")
        assert.strictEqual(refused.code, 2, refused.err)
      }
      assert.strictEqual(requests.length, 1)
    })
  )

  it.scopedLive("lists by filters, shows with attempts, and cancels", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving(({ path }, response) => {
        if (path.endsWith("/attempts")) return json(response, { data: [callAttempt] })
        if (path.endsWith("/cancel")) return json(response, cancelledCall)
        return json(response, path.includes("?") ? pageOf(completedCall) : completedCall)
      })
      const filters = ["--status", "queued", "--status", "failed", "--metadata", "order=17", "--to", "0123"]
      assert.include((yield* run("call", "list", ...filters)).out, completedCall.call_id)
      assert.strictEqual(
        requests[0]!.path,
        "/v0/calls?status=queued&status=failed&to_number=0123&metadata.order=17&limit=50"
      )
      yield* run("call", "list", "--metadata", "17")
      assert.strictEqual(requests[1]!.path, "/v0/calls?metadata=17&limit=50")
      const shown = (yield* run("call", "show", completedCall.call_id)).out
      assert.match(shown, /^STATUS +completed: answered/m)
      assert.include(shown, callAttempt.session_id)
      assert.include((yield* run("call", "cancel", call.call_id)).out, "is cancelled")
    })
  )

  it.scopedLive("watches: the talk as it happens, each turn once although the stream breaks", () =>
    Effect.gen(function* () {
      const live = { ...completedCall, status: "in_progress", outcome: null, sub_status: null }
      let streams = 0
      const { run } = yield* serving(({ path }, response, nth) => {
        if (!path.endsWith("/events")) return json(response, nth === 1 ? live : completedCall)
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.write(`:\n\n${eventOf("turn", { number: 1, turn })}`)
        if (streams++ === 0) return void response.end()
        const tool = { id: "t", name: "end_call", arguments: "{}" }
        response.write(eventOf("turn", { number: 2, turn: { ...turn, role: "tool", text: "ok", tool } }))
        return void response.end(eventOf("over", { session }))
      })
      const watched = yield* run("call", "watch", completedCall.call_id)
      assert.strictEqual(watched.code, 0, watched.err)
      assert.deepStrictEqual(
        watched.out
          .trimEnd()
          .split("\n")
          .map((line) => line.replace(/^\d{4}\S+ \S+/, "now")),
        [
          "now  in_progress",
          "  09:30:05  agent   Hello Ada.",
          "  09:30:05  tool    end_call {} → ok",
          `  ${session.ended_at.slice(11, 19)}  The talk is over: ${session.turns} turns, ${session.reason}.`,
          `now  completed: answered (${completedCall.sub_status})`
        ]
      )
    })
  )

  it.scopedLive("watches a call that failed without a talk, and ends with 1", () =>
    Effect.gen(function* () {
      const failed = { ...completedCall, status: "failed", outcome: "busy", sub_status: null }
      const { run } = yield* serving(({ path }, response) =>
        path.endsWith("/events")
          ? json(response, refusal("not_found", "no such session"), 404)
          : json(response, failed)
      )
      const watched = yield* run("call", "watch", "--json", failed.call_id)
      assert.strictEqual(watched.code, 1)
      assert.strictEqual(watched.out, `{"event":"call","data":${JSON.stringify(failed)}}\n`)
    })
  )

  it.scopedLive("places the calls of a file, shows and cancels the batch", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) => json(response, callBatch))
      const path = yield* folder
      const file = join(path, "calls.json")
      yield* Effect.promise(() => writeFile(file, '[{"metadata":{"n":1.0}}]'))
      const placed = yield* run("call", "batch", "place", "--scheduled-for", "2027-02-03T09:00:00Z", file)
      assert.match(placed.out, /^REFUSED +\d/m)
      assert.match(placed.out, /^STAND NOW +1 queued$/m)
      assert.strictEqual(
        requests[0]!.body.toString(),
        '{"calls":[{"metadata":{"n":1.0}}],"scheduled_for":"2027-02-03T09:00:00.000Z"}'
      )
      assert.include((yield* run("call", "batch", "show", callBatch.id)).out, callBatch.id)
      assert.include((yield* run("call", "batch", "cancel", callBatch.id)).out, "is cancelled")
      yield* Effect.promise(() => writeFile(file, "{}"))
      assert.include((yield* run("call", "batch", "place", file)).err, "must hold a list of calls")
    })
  )
})

describe("recipient", () => {
  it.scopedLive("lists, adds, changes one variable and keeps the others, removes and retries", () =>
    Effect.gen(function* () {
      const { recipient } = Campaigns
      const text = JSON.stringify({ ...recipient, variables: {} }).replace(
        '"variables":{}',
        '"variables":{"a":1.0,"name":"Ada"}'
      )
      const answer: Answering = ({ method, path }, response) => {
        if (method === "DELETE") return json(response, { id: recipient.id, deleted: true })
        if (path.includes("?")) return json(response, pageOf(recipient))
        return json(response, path.endsWith("/recipients") ? { recipients: [recipient] } : text)
      }
      const { requests, run } = yield* serving(answer)
      const ids = [recipient.campaign_id, recipient.id]
      const at = `/v0/campaigns/${recipient.campaign_id}/recipients`
      assert.include((yield* run("recipient", "list", "--status", "failed", ids[0]!)).out, recipient.id)
      yield* run("recipient", "add", "--variable", "name=Ada", ids[0]!, "+14155550123")
      const changed = yield* run(
        "recipient",
        "change",
        "--variable",
        "name=Grace",
        "--timezone",
        "none",
        ...ids
      )
      assert.strictEqual(changed.code, 0, changed.err)
      assert.include((yield* run("recipient", "remove", ...ids)).out, "is removed")
      assert.include((yield* run("recipient", "retry", ...ids)).out, "is pending")
      assert.strictEqual((yield* run("recipient", "change", ...ids)).code, 2)
      assert.deepStrictEqual(
        requests.map(({ body, method, path }) => [method, path, body.toString()]),
        [
          ["GET", `${at}?status=failed&limit=50`, ""],
          ["POST", at, '{"recipients":[{"phone_number":"+14155550123","variables":{"name":"Ada"}}]}'],
          ["GET", `${at}/${recipient.id}`, ""],
          ["PATCH", `${at}/${recipient.id}`, '{"variables":{"a":1.0,"name":"Grace"},"timezone":null}'],
          ["DELETE", `${at}/${recipient.id}`, ""],
          ["POST", `${at}/${recipient.id}/retry`, ""]
        ]
      )
    })
  )
})

describe("template", () => {
  it.scopedLive("lists, shows, makes of a file, and deletes", () =>
    Effect.gen(function* () {
      const { template } = Templates
      const { requests, run } = yield* serving(({ method, path }, response) =>
        method === "DELETE"
          ? json(response, { id: template.id, deleted: true })
          : json(response, path.includes("?") ? pageOf(template) : template)
      )
      const file = join(yield* folder, "template.json")
      yield* Effect.promise(() => writeFile(file, JSON.stringify(Templates.draft)))
      assert.include((yield* run("template", "list", "--status", "approved")).out, template.name)
      assert.match((yield* run("template", "show", template.id)).out, /^BODY +\S/m)
      assert.include((yield* run("template", "create", file)).out, template.id)
      assert.include((yield* run("template", "delete", template.id)).out, "is deleted")
      assert.strictEqual(requests[2]!.body.toString(), JSON.stringify(Templates.draft))
    })
  )
})
