import { Effect, Fiber } from "effect"
import { assert, describe } from "@effect/vitest"
import { standardPrices } from "../../../apps/platform/Limits.ts"
import { ConversationRunner } from "../../../core/engine/ConversationRunner.ts"
import * as SimulatedLine from "../../../core/engine/SimulatedLine.ts"
import { utterancesOf } from "../../../core/model/conversations/Conversation.ts"
import { Prices } from "../../../core/ports/Prices.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { answered, inTime, reading, stored } from "./Talks.ts"

const prices = Prices.layer({ ...standardPrices, conversation_turn: 2 })

/** What the turns of a call have cost. */
const paidFor = Effect.fnUntraced(function* (workspace_id: string, call_id: string) {
  const { credits } = yield* Repository
  const { data } = yield* credits.list(workspace_id, { reference: call_id }, { limit: 100, offset: 0 })
  return data.filter(({ kind }) => kind === "conversation").reduce((sum, { amount }) => sum - amount, 0)
})

describe("what a conversation costs", () => {
  inTime(
    "is the price of a turn for each utterance of the agent",
    () =>
      Effect.gen(function* () {
        const runner = yield* ConversationRunner
        const { call, name, workspace } = yield* answered
        yield* runner.hold(name, yield* SimulatedLine.make(reading("Yes, this is Ada.", "No, thank you.")))
        const { session, state } = yield* stored(name)
        assert.isAtLeast(utterancesOf(state), 2)
        assert.strictEqual(session.credits, 2 * utterancesOf(state))
        assert.strictEqual(yield* paidFor(workspace.id, call.call_id), session.credits)
      }),
    { prices }
  )

  inTime(
    "is paid once for each utterance, whichever process goes on",
    () =>
      Effect.gen(function* () {
        const runner = yield* ConversationRunner
        const { call, name, workspace } = yield* answered
        const lines = ["Yes, this is Ada.", "Hello again.", "And again."]
        for (const line of lines.slice(0, 2)) {
          const held = yield* Effect.fork(runner.hold(name, yield* SimulatedLine.make(reading(line))))
          yield* Effect.sleep("4 seconds")
          yield* Fiber.interrupt(held)
        }
        yield* runner.hold(name, yield* SimulatedLine.make(reading(lines[2]!)))
        const { entries, session, state } = yield* stored(name)
        assert.strictEqual(entries.filter(({ event }) => event._tag === "Connected").length, 3)
        assert.strictEqual(session.credits, 2 * utterancesOf(state))
        assert.strictEqual(yield* paidFor(workspace.id, call.call_id), session.credits)
      }),
    { prices }
  )

  inTime(
    "is no more than there is: the agent hangs up when a turn cannot be paid",
    () =>
      Effect.gen(function* () {
        const runner = yield* ConversationRunner
        const { credits } = yield* Repository
        const { name, workspace } = yield* answered
        const left = yield* credits.balance(workspace.id)
        yield* credits.append(workspace.id, [
          {
            id: "led_spent",
            customer_id: workspace.id,
            kind: "top_up",
            amount: 3 - left,
            reference: null,
            created_at: 0
          }
        ])
        const talk = Array.from({ length: 20 }, (_, n) => `This is answer ${n}.`)
        yield* runner.hold(name, yield* SimulatedLine.make(reading(...talk)))
        const { session, state } = yield* stored(name)
        assert.strictEqual(session.reason, "agent_hangup")
        assert.strictEqual(session.credits, 3)
        assert.strictEqual(utterancesOf(state), 2)
        assert.strictEqual(yield* credits.balance(workspace.id), 0)
      }),
    { prices }
  )
})
