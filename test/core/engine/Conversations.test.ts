import { Cause, Effect, Fiber, Layer, Logger } from "effect"
import { assert, describe } from "@effect/vitest"
import { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import { ConversationRunner } from "../../../core/engine/ConversationRunner.ts"
import * as SimulatedLine from "../../../core/engine/SimulatedLine.ts"
import type { Progress } from "../../../core/model/calls/CarrierProgress.ts"
import type { Session } from "../../../core/model/conversations/Session.ts"
import type { LineEvent } from "../../../core/model/conversations/Speech.ts"
import { AgentModel } from "../../../core/ports/AgentModel.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import type { SpeechLine } from "../../../core/ports/SpeechLine.ts"
import { ToolRunner } from "../../../core/ports/ToolRunner.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import { place, tenant } from "../../Platform.ts"
import { answered, answeredWith, inTime, reading, silent, stored } from "./Talks.ts"

describe("ConversationRunner", () => {
  inTime("holds a talk to its end, and stores what was said as it was heard", () =>
    Effect.gen(function* () {
      const runner = yield* ConversationRunner
      const { name } = yield* answered
      const line = yield* SimulatedLine.make(reading("Yes, this is Ada.", "No, thank you."))
      const held = yield* Effect.fork(runner.hold(name, line))
      yield* Effect.sleep("2 minutes")
      yield* Fiber.join(held)
      const { session, state, transcript } = yield* stored(name)
      assert.strictEqual(session.status, "over")
      assert.strictEqual(session.reason, state.over?.reason)
      assert.deepStrictEqual(
        transcript.filter(({ role }) => role === "callee").map(({ text }) => text),
        ["Yes, this is Ada.", "No, thank you."]
      )
      assert.strictEqual(transcript[0]?.text, "Hello Ada")
      assert.isAtLeast(transcript.length, 4)
      assert.strictEqual(session.turns, transcript.filter(({ role }) => role !== "tool").length)
      assert.strictEqual(session.review_status, "done")
    })
  )

  inTime("puts the number of a callee on the do-not-call list who says stop, and nothing else", () =>
    Effect.gen(function* () {
      const runner = yield* ConversationRunner
      const { doNotCall } = yield* Repository
      for (const [said, isListed] of [
        ["Can you stop by on Friday?", false],
        ["Please, stop!", true]
      ] as const) {
        const { call, name } = yield* answered
        const line = yield* SimulatedLine.make(reading("Yes, this is Ada.", said))
        const held = yield* Effect.fork(runner.hold(name, line))
        yield* Effect.sleep("2 minutes")
        yield* Fiber.join(held)
        assert.strictEqual(yield* doNotCall.contains(name.workspace_id, call.to_number), isListed)
      }
    })
  )

  inTime("stores what a callee says without end once, however often it is understood anew", () =>
    Effect.gen(function* () {
      const runner = yield* ConversationRunner
      const { name } = yield* answered
      let tell: (event: LineEvent) => void = () => undefined
      const line: SpeechLine = {
        capabilities: SimulatedLine.capabilities,
        listen: (hear) => void (tell = hear),
        send: () => undefined
      }
      const held = yield* Effect.fork(runner.hold(name, line))
      let text = ""
      for (let word = 0; word < 400; word++) {
        yield* Effect.sleep("250 millis")
        text += `and then ${word} `
        tell({ _tag: "CalleeSaid", text, final: false, language: "en" })
      }
      yield* Effect.sleep("10 seconds")
      tell({ _tag: "Closed", reason: "hangup" })
      yield* Fiber.join(held)
      const { slices, transcript } = yield* stored(name)
      assert.include(
        transcript.map((turn) => turn.text),
        text.trim()
      )
      assert.isAbove(slices.length, 90)
      assert.isBelow(
        slices.reduce((sum, { body }) => sum + body.length, 0),
        10 * text.length
      )
    })
  )

  inTime("nudges a callee who says nothing, and hangs up", () =>
    Effect.gen(function* () {
      const runner = yield* ConversationRunner
      const { name } = yield* answered
      const line = yield* SimulatedLine.make(silent)
      const held = yield* Effect.fork(runner.hold(name, line))
      yield* Effect.sleep("2 minutes")
      yield* Fiber.join(held)
      const { session, transcript } = yield* stored(name)
      assert.strictEqual(session.reason, "idle_timeout")
      assert.deepStrictEqual(
        transcript.map(({ text }) => text),
        ["Hello Ada", "Are you still there?", "Thank you for your time. Goodbye."]
      )
      assert.strictEqual(session.review_status, "none")
    })
  )

  inTime("goes on over a second line where the first broke off, and leaves the first", () =>
    Effect.gen(function* () {
      const runner = yield* ConversationRunner
      const { name } = yield* answered
      const first = yield* Effect.fork(
        runner.hold(name, yield* SimulatedLine.make(reading("Yes, this is Ada.")))
      )
      yield* Effect.sleep("4 seconds")
      const second = yield* Effect.fork(runner.hold(name, yield* SimulatedLine.make(reading("Hello again."))))
      yield* Effect.sleep("2 minutes")
      yield* Fiber.join(first)
      yield* Fiber.join(second)
      const { entries, session, transcript } = yield* stored(name)
      assert.strictEqual(session.status, "over")
      assert.strictEqual(entries.filter(({ event }) => event._tag === "Connected").length, 2)
      const texts = transcript.map(({ text }) => text)
      assert.include(texts.join(" "), "Sorry, I lost you for a moment.")
      assert.include(texts, "Hello again.")
    })
  )

  const asked: Array<string> = []
  const counting = Layer.succeed(AgentModel, {
    name: "counting",
    reply: ({ session_id }, hear) =>
      Effect.sync(() => {
        asked.push(session_id)
        hear({ _tag: "Text", text: "I see." })
        hear({ _tag: "Used", usage: { input_tokens: 100, output_tokens: 7 } })
      })
  })

  inTime(
    "counts the tokens of each process that has held it",
    () =>
      Effect.gen(function* () {
        const runner = yield* ConversationRunner
        const { name } = yield* answered
        const first = yield* SimulatedLine.make(reading("Yes, this is Ada.", "Go on.", "And then?", "Go on."))
        yield* Effect.fork(runner.hold(name, first))
        yield* Effect.sleep("8 seconds")
        const before = asked.length
        const second = yield* Effect.fork(runner.hold(name, yield* SimulatedLine.make(reading("Go on."))))
        yield* Effect.sleep("2 minutes")
        yield* Fiber.join(second)
        const { session } = yield* stored(name)
        assert.isAbove(before, 0)
        assert.isAbove(asked.length, before)
        assert.deepStrictEqual(
          [session.input_tokens, session.output_tokens],
          [100 * asked.length, 7 * asked.length]
        )
      }),
    { mind: counting }
  )

  const logged: Array<string> = []
  const logger = Logger.make(({ annotations, cause, message }) => {
    logged.push(`${JSON.stringify([...annotations])} ${String(message)} ${Cause.pretty(cause)}`)
  })
  const using = Layer.succeed(AgentModel, {
    name: "using",
    reply: ({ messages }, hear) =>
      Effect.sync(() =>
        hear(
          messages.some(({ role }) => role === "tool")
            ? { _tag: "Text", text: "It failed." }
            : { _tag: "ToolCalls", calls: [{ name: "look_up", arguments: `{"who":"Ada Lovelace"}` }] }
        )
      )
  })
  const broken = Layer.succeed(ToolRunner, {
    vet: () => Effect.void,
    run: (request) => Effect.die(new TypeError(`cannot read ${request.arguments}`))
  })

  inTime(
    "tells the model that a tool has failed for a reason of its own, and no log what it was asked",
    () =>
      Effect.gen(function* () {
        const runner = yield* ConversationRunner
        const tool = { name: "look_up", description: "Looks up", parameters: {}, url: "https://example.com" }
        const { name } = yield* answeredWith({
          tools: [{ ...tool, timeout_seconds: 5, repeatable: false }]
        })
        const line = yield* SimulatedLine.make(reading("Yes, this is Ada."))
        const held = yield* Effect.fork(runner.hold(name, line))
        yield* Effect.sleep("2 minutes")
        yield* Fiber.join(held)
        const { transcript } = yield* stored(name)
        const use = transcript.find(({ role }) => role === "tool")
        assert.strictEqual(use?.tool?.arguments, `{"who":"Ada Lovelace"}`)
        assert.strictEqual(use?.text, `{"ok":false,"error":"the tool failed"}`)
        assert.match(logged.join("\n"), /a tool could not be carried out,TypeError at /)
        assert.notInclude(logged.join("\n"), "Lovelace")
      }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger))),
    { mind: using, tools: broken }
  )

  inTime("is told from outside, by this process or by another, within a second", () =>
    Effect.gen(function* () {
      const runner = yield* ConversationRunner
      const { sessions } = yield* Repository
      const { name } = yield* answered
      const line = yield* SimulatedLine.make(silent)
      const held = yield* Effect.fork(runner.hold(name, line))
      yield* Effect.sleep("3 seconds")
      yield* sessions.post(name.workspace_id, name.session_id, {
        id: "evt_1",
        body: JSON.stringify({ _tag: "AnsweredBy", who: "machine" })
      })
      yield* Effect.sleep("10 seconds")
      yield* Fiber.join(held)
      assert.strictEqual((yield* stored(name)).session.reason, "voicemail")
    })
  )

  inTime("does not begin for a session that no attempt under way has, nor after its end", () =>
    Effect.gen(function* () {
      const runner = yield* ConversationRunner
      const { name } = yield* answered
      const unknown = runner.hold({ ...name, session_id: "sess_none" }, yield* SimulatedLine.make(silent))
      assert.strictEqual((yield* Effect.flip(unknown))._tag, "SessionNotFound")
      const of = runner.hold({ ...name, workspace_id: "ws_other" }, yield* SimulatedLine.make(silent))
      assert.strictEqual((yield* Effect.flip(of))._tag, "SessionNotFound")
      const held = yield* Effect.fork(runner.hold(name, yield* SimulatedLine.make(silent)))
      yield* Effect.sleep("1 second")
      yield* runner.tell(name, { _tag: "HangUp" })
      yield* Effect.sleep("30 seconds")
      yield* Fiber.join(held)
      const late = runner.hold(name, yield* SimulatedLine.make(silent))
      assert.strictEqual((yield* Effect.flip(late))._tag, "SessionNotFound")
      assert.deepStrictEqual(yield* runner.after(name, null), { _tag: "HangUp" })
    })
  )
})

describe("calls of callees who talk", () => {
  const talking = { talking: true }

  /** The call with its transcript, once it has come to its end. */
  const talkedWith = Effect.fnUntraced(function* (digits: string) {
    const made = yield* tenant()
    const { call_id } = yield* place(made, digits, {
      custom_variables: { name: "Ada" },
      call_config: { idle_timeout_warning: 8, idle_timeout_end: 20 }
    })
    yield* Effect.sleep("10 minutes")
    const { calls } = yield* Repository
    const call = yield* Effect.flatten(calls.get(made.workspace.id, call_id))
    const name = { workspace_id: made.workspace.id, session_id: call.session_id! }
    return { call, ...(yield* stored(name)) }
  })

  inTime(
    "last as long as the conversation, which can be read afterwards",
    () =>
      Effect.gen(function* () {
        const { call, session, transcript } = yield* talkedWith("1234")
        assert.strictEqual(call.status, "completed")
        assert.strictEqual(session.status, "over")
        const spoken = transcript.filter(({ role }) => role !== "tool")
        assert.isAtLeast(spoken.length, 4, JSON.stringify(spoken))
        const talk = (session.ended_at! - session.connected_at!) / 1_000
        assert.closeTo(call.duration_seconds, talk, 3)
        assert.isAbove(call.credits, 0)
      }),
    talking
  )

  inTime(
    "end after the nudge when the callee says nothing",
    () =>
      Effect.gen(function* () {
        const { call, session, transcript } = yield* talkedWith("0006")
        assert.strictEqual(call.status, "completed")
        assert.strictEqual(session.reason, "idle_timeout")
        assert.deepStrictEqual([call.outcome, call.sub_status], ["answered", "idle_timeout"])
        assert.isTrue(transcript.every(({ role }) => role === "agent"))
      }),
    talking
  )

  inTime(
    "end at a voicemail as the agent's policy says",
    () =>
      Effect.gen(function* () {
        const { call, session } = yield* talkedWith("0004")
        assert.strictEqual(session.reason, "voicemail")
        assert.deepStrictEqual([call.status, call.outcome], ["completed", "voicemail"])
      }),
    talking
  )
})

describe("the end of a call that was talked on here", () => {
  inTime("comes with a call that is cancelled", () =>
    Effect.gen(function* () {
      const runner = yield* ConversationRunner
      const { call, name } = yield* answered
      const held = yield* Effect.fork(runner.hold(name, yield* SimulatedLine.make(silent)))
      yield* Effect.sleep("4 seconds")
      yield* (yield* Calls).cancel(name.workspace_id, call.call_id)
      yield* Effect.sleep("10 seconds")
      yield* Fiber.join(held)
      assert.strictEqual((yield* stored(name)).session.reason, "agent_hangup")
      const { calls } = yield* Repository
      const ended = yield* Effect.flatten(calls.get(name.workspace_id, call.call_id))
      assert.deepStrictEqual([ended.status, ended.outcome], ["cancelled", "cancelled"])
    })
  )

  const told: Progress = {
    _tag: "Ended",
    at: 0,
    outcome: "answered",
    sub_status: null,
    duration_seconds: 30,
    error_code: null,
    error_message: null,
    held: true
  }

  /** What becomes of a call whose conversation ends so, once its carrier has told of its end. */
  const endOf = Effect.fnUntraced(function* (change: Partial<Session>, progress: Progress = told) {
    const { calls, sessions } = yield* Repository
    const runner = yield* ConversationRunner
    const { call, name } = yield* answered
    const held = yield* Effect.fork(runner.hold(name, yield* SimulatedLine.make(silent)))
    yield* Effect.sleep("1 second")
    const { session } = yield* stored(name)
    yield* sessions.update({ ...session, ...change, version: session.version + 1 })
    const report = { workspace_id: name.workspace_id, key: session.attempt_id!, progress }
    yield* (yield* CarrierReports).record([report])
    yield* Fiber.interrupt(held)
    return yield* Effect.flatten(calls.get(name.workspace_id, call.call_id))
  })

  inTime("is what its session says", () =>
    Effect.gen(function* () {
      for (const reason of ["agent_hangup", "max_call_length", "transferred", "agent_error"] as const) {
        const call = yield* endOf({ status: "over", reason })
        assert.deepStrictEqual(
          [call.status, call.outcome, call.sub_status],
          ["completed", "answered", reason]
        )
      }
    })
  )

  inTime("is a failure with the carrier's code when the line broke", () =>
    Effect.gen(function* () {
      const call = yield* endOf({ status: "over", reason: "carrier_error", error_code: "64105" })
      assert.deepStrictEqual(
        [call.status, call.outcome, call.sub_status],
        ["failed", "failed", "carrier_error"]
      )
      assert.strictEqual(call.error?.details?.carrier_code, "64105")
    })
  )

  inTime("is what the carrier says while the session is open, and of a callee who was not reached", () =>
    Effect.gen(function* () {
      const open = yield* endOf({})
      assert.deepStrictEqual([open.outcome, open.sub_status], ["answered", null])
      const busy: Progress = { ...told, outcome: "busy" }
      assert.strictEqual((yield* endOf({ status: "over", reason: "agent_hangup" }, busy)).outcome, "busy")
      const machine: Progress = { ...told, outcome: "voicemail" }
      const { outcome } = yield* endOf({ status: "over", reason: "agent_hangup" }, machine)
      assert.strictEqual(outcome, "voicemail")
    })
  )
})
