import { Context, Effect, Fiber } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { ConversationRunner } from "../../../core/engine/ConversationRunner.ts"
import * as SimulatedLine from "../../../core/engine/SimulatedLine.ts"
import type { ConversationEvent } from "../../../core/model/conversations/ConversationMachine.ts"
import { sliceOf } from "../../../core/model/conversations/Journal.ts"
import type { Session } from "../../../core/model/conversations/Session.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { makeAttempt, makeCall, makeSession } from "../../contracts/repository/Fixtures.ts"
import { start } from "./Harness.ts"

const began = Date.parse("2026-03-02T09:30:00Z")

/** The greeting is heard, the callee answers, a tool runs, and the callee talks over what comes next. */
const slices: ReadonlyArray<ReadonlyArray<readonly [after: number, event: ConversationEvent]>> = [
  [
    [0, { _tag: "Connected" }],
    [400, { _tag: "AgentSpeaking", on: true }],
    [1_500, { _tag: "Played", text: "Hello “Åre” 🎿" }],
    [1_600, { _tag: "AgentSpeaking", on: false }],
    [2_500, { _tag: "CalleeSaid", text: "When is <it>?", final: true, language: "en" }]
  ],
  [
    [
      2_800,
      { _tag: "ToolsAsked", generation: 1, calls: [{ name: "look_up", arguments: `{"day":"Friday"}` }] }
    ],
    [3_000, { _tag: "ToolEnded", id: "tool_1_1", result: `{"at":"10:00"}` }],
    [3_400, { _tag: "Delta", generation: 2, text: "On Friday at ten, " }],
    [3_450, { _tag: "Delta", generation: 2, text: "and bring your papers." }],
    [3_500, { _tag: "Generated", generation: 2 }],
    [3_700, { _tag: "AgentSpeaking", on: true }],
    [5_000, { _tag: "Played", text: "On Friday at ten," }],
    [5_100, { _tag: "CalleeSpeaking", on: true }],
    [5_150, { _tag: "Interrupted", heard_ms: 1_400 }],
    [6_000, { _tag: "CalleeSaid", text: "Fine, goodbye.", final: true, language: "en" }],
    [6_100, { _tag: "Closed", reason: "hangup" }]
  ]
]

const talked = Effect.gen(function* () {
  const server = yield* start()
  const { calls, attempts, sessions } = server.repository
  const customer_id = server.workspace.id
  yield* calls.insert(makeCall(1, { customer_id }))
  yield* attempts.insert(makeAttempt(1, { customer_id, status: "in_progress" }))
  const session: Session = makeSession(1, { customer_id, started_at: began })
  yield* sessions.insert(session)
  const append = (number: number) =>
    sessions.append(customer_id, session.session_id, {
      number,
      body: sliceOf(slices[number - 1]!.map(([after, event]) => ({ at: began + after, event })))
    })
  const over = Effect.suspend(() =>
    sessions.update({
      ...session,
      status: "over",
      reason: "user_hangup",
      ended_at: began + 6_100,
      turns: 4,
      review_due_at: null,
      version: session.version + 1
    })
  )
  return { server, session, append, over, path: `/sessions/${session.session_id}` }
})

describe("sessions", () => {
  it.scopedLive("are read with their transcript: what was heard, what was not, tools, times", () =>
    Effect.gen(function* () {
      const { append, path, server, session } = yield* talked
      yield* append(1)
      yield* append(2)
      const read = yield* server.call(path)
      assert.strictEqual(read.status, 200, read.text)
      assert.strictEqual(read.json.session_id, session.session_id)
      assert.notProperty(read.json, "settings")
      assert.notProperty(read.json, "variables")
      const { json } = yield* server.call(`${path}/transcript`)
      const told = json.turns.map(({ role, text }: { role: string; text: string }) => [role, text])
      assert.deepStrictEqual(told, [
        ["agent", "Hello “Åre” 🎿"],
        ["callee", "When is <it>?"],
        ["agent", "On Friday at ten,"],
        ["tool", `{"at":"10:00"}`],
        ["callee", "Fine, goodbye."]
      ])
      const [, , answer, tool] = json.turns
      assert.strictEqual(answer.generated, "On Friday at ten, and bring your papers.")
      assert.isTrue(answer.interrupted)
      assert.strictEqual(answer.first_token_ms, 900)
      assert.deepStrictEqual(tool.tool, { id: "tool_1_1", name: "look_up", arguments: `{"day":"Friday"}` })
    })
  )

  it.scopedLive("are followed as they go on, to their end", () =>
    Effect.gen(function* () {
      const { append, over, path, server } = yield* talked
      yield* append(1)
      const following = yield* Effect.fork(server.call(`${path}/events`))
      yield* append(2)
      yield* over
      const { headers, status, text } = yield* Fiber.join(following)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-type"], "text/event-stream")
      const events = text.split("\n\n").filter((event) => event.startsWith("event: "))
      const kinds = events.map((event) => event.split("\n")[0])
      assert.deepStrictEqual(kinds, [...Array.from({ length: 5 }, () => "event: turn"), "event: over"])
      const data = events.map((event) => JSON.parse(event.split("\n")[1]!.slice("data: ".length)))
      assert.deepStrictEqual(
        data.slice(0, 5).map(({ number }) => number),
        [1, 2, 3, 4, 5]
      )
      assert.strictEqual(data[5].session.reason, "user_hangup")
    })
  )

  it.scopedLive(
    "of calls that were talked on elsewhere are known by their attempt, and have nothing to read",
    () =>
      Effect.gen(function* () {
        const { server } = yield* talked
        const attempt = makeAttempt(2, { customer_id: server.workspace.id, status: "completed" })
        yield* server.repository.attempts.insert({ ...attempt, completed_at: began })
        const read = yield* server.call("/sessions/sess_000002")
        assert.include(read.json, {
          attempt_id: "att_000002",
          agent_id: "agent_1",
          status: "over",
          model: null
        })
        assert.deepStrictEqual((yield* server.call("/sessions/sess_000002/transcript")).json.turns, [])
        assert.notInclude((yield* server.call("/sessions/sess_000002/events")).text, "event:")
      })
  )

  it.scopedLive("have their transcript deleted when they are over, and not before", () =>
    Effect.gen(function* () {
      const { append, over, path, server } = yield* talked
      yield* append(1)
      const remove = server.call(`${path}/transcript`, { method: "DELETE" })
      const refused = yield* remove
      assert.deepStrictEqual([refused.status, refused.json.error.code], [409, "conflict"])
      yield* over
      for (const _ of [1, 2]) {
        const { json, status } = yield* remove
        assert.strictEqual(status, 200)
        assert.include(json, { status: "over", reason: "user_hangup", review: null, review_status: "none" })
      }
      assert.deepStrictEqual((yield* server.call(`${path}/transcript`)).json.turns, [])
      const unknown = yield* server.call("/sessions/sess_none/transcript", { method: "DELETE" })
      assert.strictEqual(unknown.status, 404)
      const reader = { "x-api-key": yield* server.keyWith(["sessions:read"]) }
      const denied = yield* server.call(`${path}/transcript`, { method: "DELETE", headers: reader })
      assert.strictEqual(denied.status, 403)
    })
  )

  it.scopedLive("are unknown to other workspaces, and need their scope", () =>
    Effect.gen(function* () {
      const { path, server } = yield* talked
      const workspaces = Context.get(server.context, Workspaces)
      const stranger = yield* workspaces.create({ name: "Other" })
      const other = { headers: { "x-api-key": yield* server.keyWith(["sessions:read"], stranger.id) } }
      for (const at of [path, `${path}/transcript`, `${path}/events`]) {
        assert.strictEqual((yield* server.call(at, other)).status, 404, at)
        const key = yield* server.keyWith(["campaigns:read"])
        assert.strictEqual((yield* server.call(at, { headers: { "x-api-key": key } })).status, 403, at)
      }
    })
  )
})

describe("an agent that is tried out", () => {
  const tried = Effect.gen(function* () {
    const server = yield* start()
    const draft = { name: "Ada", prompt: "You call {{name}}.", first_message: "Hello {{name}}." }
    const { id } = (yield* server.call("/agents", { json: draft })).json
    const on = (agent_id: string, json: object) =>
      server.call(`/agents/${agent_id}/conversations`, { method: "POST", json })
    return { server, id, on }
  })

  it.scopedLive(
    "waits for a socket at an address that is good for a minute, with its draft or a version",
    () =>
      Effect.gen(function* () {
        const { id, on, server } = yield* tried
        const made = yield* on(id, { custom_variables: { name: "Åre" } })
        assert.strictEqual(made.status, 200, made.text)
        assert.include(made.json, { agent_id: id, agent_version: null })
        assert.match(made.json.url, /^ws:\/\/127\.0\.0\.1:\d+\/v0\/conversations\/[\w.-]+$/)
        assert.isAbove(Date.parse(made.json.url_expires_at), Date.now() + 50_000)
        const session = yield* server.call(`/sessions/${made.json.session_id}`)
        assert.include(session.json, { kind: "trial", status: "waiting", call_id: null, agent_id: id })
        assert.strictEqual((yield* on(id, { version: 1 })).status, 404)
        yield* server.call(`/agents/${id}/publish`, { method: "POST" })
        assert.strictEqual((yield* on(id, { version: 1 })).json.agent_version, 1)
        assert.strictEqual((yield* on("agent_none", {})).status, 404)
        assert.strictEqual((yield* on(id, { version: 0 })).status, 400)
        assert.strictEqual((yield* on(id, { variables: {} })).status, 400)
      })
  )

  it.scopedLive("talks over a line, is read afterwards, and calls no number", () =>
    Effect.gen(function* () {
      const { id, on, server } = yield* tried
      const { session_id } = (yield* on(id, { custom_variables: { name: "Åre" } })).json
      const runner = Context.get(server.context, ConversationRunner)
      const line = yield* SimulatedLine.make({ act: () => Effect.succeed({ _tag: "HangUp" }) })
      yield* runner.hold({ workspace_id: server.workspace.id, session_id }, line)
      const { json } = yield* server.call(`/sessions/${session_id}/transcript`)
      assert.deepStrictEqual(
        json.turns.map(({ text }: { readonly text: string }) => text),
        ["Hello Åre."]
      )
      assert.strictEqual((yield* server.call(`/sessions/${session_id}`)).json.reason, "user_hangup")
      assert.strictEqual((yield* server.call("/calls")).json.pagination.total, 0)
    })
  )
})
