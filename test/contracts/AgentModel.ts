import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Layer } from "effect"
import * as FastCheck from "effect/FastCheck"
import { toolsOf } from "../../core/model/conversations/BuiltInTools.ts"
import type { Message } from "../../core/model/conversations/History.ts"
import { AgentModel, type AgentPart, type AgentRequest } from "../../core/ports/AgentModel.ts"

export const agent: AgentRequest["agent"] = {
  name: "Mia",
  prompt:
    "You are Mia, calling for Acme Dental. You call Anna Roth to confirm her appointment on Monday at 10. " +
    "If the time does not suit, offer to call back. Never ask for payment details.",
  language: "en-US",
  model: null,
  temperature: null
}

export const tools = toolsOf({ tools: [], transfers: [] })

export const requestOf = (
  messages: ReadonlyArray<Message>,
  more: Partial<Omit<AgentRequest, "agent" | "messages">> & {
    readonly agent?: Partial<AgentRequest["agent"]>
  } = {}
): AgentRequest => ({
  session_id: "sess_1",
  tools,
  ...more,
  agent: { ...agent, ...more.agent },
  messages
})

/** All parts of one answer. */
export const replyBy = (model: AgentModel["Type"], request: AgentRequest) =>
  Effect.suspend(() => {
    const parts: Array<AgentPart> = []
    return Effect.as(
      model.reply(request, (part) => void parts.push(part)),
      parts
    )
  })

export const replyTo = (request: AgentRequest) =>
  Effect.flatMap(AgentModel, (model) => replyBy(model, request))

export const textIn = (parts: ReadonlyArray<AgentPart>): string =>
  parts.map((part) => (part._tag === "Text" ? part.text : "")).join("")

export const callsIn = (parts: ReadonlyArray<AgentPart>) =>
  parts.flatMap((part) => (part._tag === "ToolCalls" ? part.calls : []))

const message: FastCheck.Arbitrary<ReadonlyArray<Message>> = FastCheck.oneof(
  FastCheck.string().map((text): ReadonlyArray<Message> => [{ role: "agent", text, calls: [] }]),
  FastCheck.string({ unit: "grapheme" }).map((text): ReadonlyArray<Message> => [{ role: "callee", text }]),
  FastCheck.constantFrom("Yes.", "No!", "Who is this?", "Stop calling me.", "[keys pressed: 12]").map(
    (text): ReadonlyArray<Message> => [{ role: "callee", text }]
  ),
  FastCheck.record({ text: FastCheck.string(), given: FastCheck.string(), result: FastCheck.string() }).map(
    ({ given, result, text }): ReadonlyArray<Message> => [
      { role: "agent", text, calls: [{ id: "tool_1_1", name: "send_digits", arguments: given }] },
      { role: "tool", id: "tool_1_1", name: "send_digits", result }
    ]
  ),
  FastCheck.constant<ReadonlyArray<Message>>([
    { role: "note", text: "The call may last a few seconds more: come to its end now." }
  ])
)

/** Every history that a conversation can have, and some that it can not. */
export const histories = FastCheck.array(message, { maxLength: 12 }).map((all) => all.flat())

/** What every AgentModel does that is well and has something to say. */
export const agentModelContract = <E>(name: string, layer: Layer.Layer<AgentModel, E>, numRuns = 200) =>
  describe(`AgentModel: ${name}`, () => {
    it.effect("opens a talk in which nothing was said", () =>
      Effect.gen(function* () {
        assert.notStrictEqual(textIn(yield* replyTo(requestOf([]))).trim(), "")
      }).pipe(Effect.provide(layer))
    )

    it.effect("has a name to show", () =>
      Effect.gen(function* () {
        assert.notStrictEqual((yield* AgentModel).name, "")
      }).pipe(Effect.provide(layer))
    )

    it.effect("answers in pieces, with tools that it was told of, last of all with what was used", () =>
      Effect.flatMap(AgentModel, (model) =>
        Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(histories, async (messages) => {
              const parts = await Effect.runPromise(replyBy(model, requestOf(messages)))
              const kinds = parts
                .map(({ _tag }) => _tag)
                .filter((tag, i, all) => tag !== "Text" || all[i - 1] !== tag)
              assert.include(["Text,Used", "ToolCalls,Used", "Text,ToolCalls,Used"], kinds.join())
              assert.isTrue(parts.every((part) => part._tag !== "Text" || part.text !== ""))
              for (const call of callsIn(parts)) {
                assert.deepStrictEqual(Object.keys(call).toSorted(), ["arguments", "name"])
                assert.isTrue(tools.some((tool) => tool.name === call.name))
              }
              const used = parts.at(-1)!
              assert.isTrue(
                used._tag === "Used" && used.usage.input_tokens >= 0 && used.usage.output_tokens >= 0
              )
            }),
            { numRuns }
          )
        )
      ).pipe(Effect.provide(layer))
    )

    it.effect("uses no tool when it has none", () =>
      Effect.gen(function* () {
        for (const text of ["Goodbye.", "Stop calling me.", "Please leave a message after the tone."]) {
          const parts = yield* replyTo(
            requestOf(
              [
                { role: "agent", text: "Hello.", calls: [] },
                { role: "callee", text }
              ],
              { tools: [] }
            )
          )
          assert.deepStrictEqual(callsIn(parts), [])
          assert.notStrictEqual(textIn(parts).trim(), "")
        }
      }).pipe(Effect.provide(layer))
    )

    it.effect("holds many talks at one time", () =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, i) => `sess_${i}`),
          (session_id) => replyTo(requestOf([], { session_id })),
          { concurrency: "unbounded" }
        )
        assert.isTrue(answers.every((parts) => textIn(parts) !== ""))
      }).pipe(Effect.provide(layer))
    )

    it.effect("an answer that is interrupted ends at once, and the next one comes", () =>
      Effect.gen(function* () {
        const model = yield* AgentModel
        const answer = yield* Effect.fork(model.reply(requestOf([]), () => undefined))
        assert.strictEqual((yield* Fiber.interrupt(answer))._tag, "Failure")
        assert.notStrictEqual(textIn(yield* replyTo(requestOf([]))), "")
      }).pipe(Effect.provide(layer))
    )
  })
