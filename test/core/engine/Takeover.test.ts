import { Deferred, type Duration, Effect, Fiber, Layer, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as SimulatedAgentModel from "../../../adapters/simulated/SimulatedAgentModel.ts"
import { standardPrices } from "../../../apps/platform/Limits.ts"
import { ConversationRunner } from "../../../core/engine/ConversationRunner.ts"
import { makeJournalWriter } from "../../../core/engine/JournalWriter.ts"
import { makeSessionOpening } from "../../../core/engine/SessionOpening.ts"
import * as SimulatedLine from "../../../core/engine/SimulatedLine.ts"
import { makeTalkCharges } from "../../../core/engine/TalkCharges.ts"
import { Ids } from "../../../core/ports/Ids.ts"
import { Prices } from "../../../core/ports/Prices.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { place, tenant } from "../../Platform.ts"
import { inTime, reading, sayingOnce, silent, stored } from "./Talks.ts"

/** A call of which the carrier tells nothing more. */
const dialled = Effect.gen(function* () {
  const made = yield* tenant()
  const call_config = { max_call_length: 300, idle_timeout_warning: 8, idle_timeout_end: 20 }
  const { call_id } = yield* place(made, "0008", { custom_variables: { name: "Ada" }, call_config })
  yield* Effect.sleep("1 second")
  const { session_id } = yield* Effect.flatten((yield* Repository).calls.get(made.workspace.id, call_id))
  return { name: { workspace_id: made.workspace.id, session_id: session_id! } }
})

/** A talk whose process dies after a while, and whose line comes back to another some time later. */
const takenOver = (after: Duration.DurationInput, back: Duration.DurationInput) =>
  Effect.gen(function* () {
    const runner = yield* ConversationRunner
    const { name } = yield* dialled
    const first = yield* Effect.fork(runner.hold(name, yield* SimulatedLine.make(silent)))
    yield* Effect.sleep(after)
    yield* Fiber.interrupt(first)
    yield* Effect.sleep(back)
    yield* runner.hold(name, yield* SimulatedLine.make(reading("There you are.")))
    return yield* stored(name)
  })

describe("a talk whose line comes back late", () => {
  inTime("begins when its process died before anything of it was stored", () =>
    Effect.gen(function* () {
      const runner = yield* ConversationRunner
      const { name } = yield* dialled
      const { open } = yield* Effect.provide(makeSessionOpening, SimulatedAgentModel.layer)
      yield* open(name, SimulatedLine.capabilities)
      yield* Effect.sleep("40 seconds")
      yield* runner.hold(name, yield* SimulatedLine.make(reading("There you are.")))
      const { session, transcript } = yield* stored(name)
      assert.strictEqual(session.reason, "user_hangup")
      assert.include(
        transcript.map(({ text }) => text),
        "There you are."
      )
    })
  )

  const again = "Sorry, I lost you for a moment."
  for (const [what, after, before] of [
    ["before its greeting was heard", "0 seconds", [""]],
    ["while the callee was waited for", "6 seconds", ["Hello Ada"]],
    ["after the callee was nudged", "14 seconds", ["Hello Ada", "Are you still there?"]]
  ] as const) {
    inTime(`goes on from there when its process died ${what}`, () =>
      Effect.gen(function* () {
        const { session, transcript } = yield* takenOver(after, "40 seconds")
        const texts = transcript.map(({ text }) => text)
        assert.deepStrictEqual(texts.slice(0, before.length + 1), [...before, again])
        assert.include(texts, "There you are.")
        assert.strictEqual(session.reason, "user_hangup")
      })
    )
  }
})

describe("what comes after a line", () => {
  inTime("is another one when the process died before it had stored the session", () =>
    Effect.gen(function* () {
      const { after } = yield* ConversationRunner
      const { name } = yield* dialled
      assert.deepStrictEqual(yield* after(name, null), { _tag: "Connect", answers: 0 })
      for (const other of [
        { ...name, workspace_id: "ws_other" },
        { ...name, session_id: "sess_none" }
      ]) {
        assert.deepStrictEqual(yield* after(other, null), { _tag: "HangUp" })
      }
    })
  )

  inTime("is what it was told when it ended, even before that is in the journal", () =>
    Effect.gen(function* () {
      const { after, hold } = yield* ConversationRunner
      const { name } = yield* dialled
      yield* Effect.fork(hold(name, yield* SimulatedLine.make(silent)))
      yield* Effect.sleep("3 seconds")
      assert.deepStrictEqual(yield* after(name, null), { _tag: "Connect", answers: 0 })
      assert.deepStrictEqual(yield* after(name, "agent_hangup"), { _tag: "HangUp" })
      assert.deepStrictEqual(yield* after(name, JSON.stringify({ transfer: "+14155550199" })), {
        _tag: "Transfer",
        to_number: "+14155550199",
        from_number: "+14155550100"
      })
      for (const odd of ["", "{", "{}", '{"transfer":7}']) {
        assert.deepStrictEqual(yield* after(name, odd), { _tag: "HangUp" })
      }
    })
  )
})

describe("a line that breaks again and again", () => {
  inTime("is told how often the agent was heard to answer, whatever it said by itself", () =>
    Effect.gen(function* () {
      const { after, hold } = yield* ConversationRunner
      const { name } = yield* dialled
      for (const answers of [1, 2]) {
        const held = yield* Effect.fork(hold(name, yield* SimulatedLine.make(sayingOnce("Who is this?"))))
        yield* Effect.sleep("14 seconds")
        yield* Fiber.interrupt(held)
        assert.deepStrictEqual(yield* after(name, null), { _tag: "Connect", answers })
      }
    })
  )
})

describe("a slice of a journal", () => {
  const prices = Prices.layer({ ...standardPrices, conversation_turn: 3 })
  inTime(
    "is paid once when its store failed after it had stored it, and is another's when it says something else",
    () =>
      Effect.gen(function* () {
        const { sessions } = yield* Repository
        const { store } = yield* Effect.provide(makeTalkCharges, Layer.merge(prices, Ids.layer))
        const { open } = yield* Effect.provide(makeSessionOpening, SimulatedAgentModel.layer)
        const { name } = yield* dialled
        const { session } = yield* open(name, SimulatedLine.capabilities)
        const credits = Effect.map(
          Effect.flatten(sessions.get(name.workspace_id, name.session_id)),
          (stored) => stored.credits
        )
        for (const [number, utterances, paid] of [
          [1, 2, 6],
          [2, 0, 6]
        ] as const) {
          const slice = { number, body: `[${number}]` }
          for (const _ of [1, 2]) assert.strictEqual(yield* store(session, slice, utterances), "stored")
          assert.strictEqual(yield* store(session, { ...slice, body: "[]" }, utterances), "lost")
          assert.strictEqual(yield* credits, paid)
        }
      })
  )
})

describe("a journal that another process goes on with", () => {
  it.scoped("never counts as stored, so that nothing is done which relies on it", () =>
    Effect.gen(function* () {
      const lost = yield* Deferred.make<void>()
      const journal = yield* makeJournalWriter(() => Effect.succeed("lost"), 0, {
        unpaid: () => undefined,
        lost: () => Deferred.unsafeDone(lost, Effect.void)
      })
      journal.note({ _tag: "Connected" }, 0)
      const stored = yield* Effect.fork(journal.flush)
      yield* Deferred.await(lost)
      yield* TestClock.adjust("1 minute")
      assert.isNull(stored.unsafePoll())
      const later = yield* Effect.fork(journal.flush)
      yield* TestClock.adjust("1 minute")
      assert.isNull(later.unsafePoll())
    })
  )
})
