import { Effect, Fiber, Layer, Option, Tracer } from "effect"
import { assert, describe } from "@effect/vitest"
import { ConversationRunner } from "../../../core/engine/ConversationRunner.ts"
import * as SimulatedLine from "../../../core/engine/SimulatedLine.ts"
import { AgentModel } from "../../../core/ports/AgentModel.ts"
import { answeredWith, inTime, reading, stored } from "./Talks.ts"

interface Ended {
  readonly name: string
  readonly parent: string | null
  readonly attributes: ReadonlyMap<string, unknown>
  readonly millis: number
}

/** A tracer that keeps the spans that have ended. */
const keeping = () => {
  const ended: Array<Ended> = []
  const tracer = Tracer.make({
    span: (name, parent, context, links, startTime, kind, options) => {
      const attributes = new Map<string, unknown>(Object.entries(options?.attributes ?? {}))
      return {
        _tag: "Span",
        name,
        parent,
        context,
        links,
        kind,
        attributes,
        spanId: `${name} ${startTime}`,
        traceId: "trace",
        sampled: true,
        status: { _tag: "Started", startTime },
        attribute: (key, value) => void attributes.set(key, value),
        event: () => undefined,
        addLinks: () => undefined,
        end: (endTime) => {
          const above = Option.getOrNull(parent)
          const millis = Number((endTime - startTime) / 1_000_000n)
          ended.push({ name, parent: above?._tag === "Span" ? above.name : null, attributes, millis })
        }
      }
    },
    context: (f) => f()
  })
  return { ended, tracer }
}

const using = Layer.succeed(AgentModel, {
  name: "using",
  reply: ({ messages }, hear) =>
    Effect.sync(() =>
      hear(
        messages.some(({ role }) => role === "tool")
          ? { _tag: "Text", text: "It was shipped." }
          : { _tag: "ToolCalls", calls: [{ name: "look_up", arguments: `{"who":"Ada Lovelace"}` }] }
      )
    )
})

describe("the spans of a conversation", () => {
  inTime(
    "are one for each turn, with what was generated and used for it below, and no word in them",
    () =>
      Effect.gen(function* () {
        const { ended, tracer } = keeping()
        const runner = yield* ConversationRunner
        const tool = { name: "look_up", description: "Looks up", parameters: {}, url: "https://example.com" }
        const { name } = yield* answeredWith({
          tools: [{ ...tool, timeout_seconds: 5, repeatable: false }]
        })
        const line = yield* SimulatedLine.make(reading("Yes, this is Ada."))
        const held = yield* Effect.fork(Effect.withTracer(runner.hold(name, line), tracer))
        yield* Effect.sleep("2 minutes")
        yield* Fiber.join(held)
        const { transcript } = yield* stored(name)
        const turns = ended.filter((span) => span.name === "Conversation.turn")
        assert.deepStrictEqual(
          turns.map(({ attributes }) => attributes.get("role")),
          transcript.filter(({ role }) => role !== "tool").map(({ role }) => role)
        )
        for (const { parent } of turns) assert.strictEqual(parent, "ConversationRunner.hold")
        const answer = turns.find(({ attributes }) => attributes.get("tools") === 1)!
        assert.strictEqual(answer.attributes.get("session_id"), name.session_id)
        assert.isNumber(answer.attributes.get("first_sound_ms"))
        assert.isAbove(answer.millis, 0)
        for (const part of ["Conversation.generation", "Conversation.tool"]) {
          const parts = ended.filter((span) => span.name === part)
          assert.isNotEmpty(parts)
          for (const { parent } of parts) assert.strictEqual(parent, "Conversation.turn")
        }
        const told = JSON.stringify(ended.map(({ attributes }) => [...attributes]))
        assert.notMatch(told, /Lovelace|Hello|shipped|\+1415/)
      }),
    { mind: using }
  )
})
