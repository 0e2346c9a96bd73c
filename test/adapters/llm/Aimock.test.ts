import { type ChaosConfig, LLMock } from "@copilotkit/aimock"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as OpenAiCompatible from "../../../adapters/llm/OpenAiCompatible.ts"
import type { Message } from "../../../core/model/conversations/History.ts"
import { agentModelContract, callsIn, replyTo, requestOf, textIn } from "../../contracts/AgentModel.ts"
import { questions, reviewOf, transcriptOf } from "../../contracts/CallReviewer.ts"
import { layerAt } from "./ChatStream.ts"
import { review } from "./OpenAiServer.ts"

// A server of another's making that speaks as OpenAI does.

const serve = (prepare: (mock: LLMock) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" })
      prepare(mock)
      await mock.start()
      return mock
    }),
    (mock) => Effect.promise(() => mock.stop())
  )

const anything = { content: "Good day, this is Mia. 🎉 Zoë?" }

agentModelContract(
  "llm, against aimock",
  Layer.unwrapScoped(
    Effect.map(
      serve((mock) => mock.on({}, anything, { chunkSize: 3 })),
      ({ url }) => layerAt(`${url}/v1`)
    )
  ),
  20
)

const callee = (text: string): Message => ({ role: "callee", text })

const replied = (mock: LLMock, ...messages: ReadonlyArray<Message>) =>
  Effect.provide(replyTo(requestOf(messages)), layerAt(`${mock.url}/v1`))

const failing = (chaos: ChaosConfig) =>
  Effect.gen(function* () {
    const mock = yield* serve((mock) => mock.on({}, anything).setChaos(chaos))
    return (yield* Effect.flip(replied(mock, callee("Hello?"))))._tag
  }).pipe(Effect.scoped)

describe("a server that others made", () => {
  it.scopedLive("streams text, in pieces of any size, and tells what it used", () =>
    Effect.gen(function* () {
      for (const chunkSize of [1, 2, 7, 1_000]) {
        const usage = { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 }
        const mock = yield* serve((mock) => mock.onMessage("Hello?", { ...anything, usage }, { chunkSize }))
        const parts = yield* replied(mock, callee("Hello?"))
        assert.strictEqual(textIn(parts), anything.content)
        assert.deepStrictEqual(parts.at(-1), { _tag: "Used", usage: { input_tokens: 40, output_tokens: 9 } })
      }
    })
  )

  it.scopedLive("takes a whole talk with tools, and goes on from what they answered", () =>
    Effect.gen(function* () {
      const mock = yield* serve((mock) =>
        mock
          .on({ hasToolResult: true, toolResultContains: "shipped" }, { content: "It was shipped." })
          .onMessage(
            /order 7/,
            {
              content: "One moment.",
              toolCalls: [
                { name: "order_status", arguments: `{"order": 7, "words": "Zoë"}` },
                { name: "send_digits", arguments: `{"digits":"1"}` }
              ]
            },
            { chunkSize: 4 }
          )
      )
      const asked = callee("Where is my order 7?")
      const first = yield* replied(mock, asked)
      assert.strictEqual(textIn(first), "One moment.")
      const calls = callsIn(first)
      assert.deepStrictEqual(
        calls.map(({ arguments: given, name }) => [name, JSON.parse(given) as unknown]),
        [
          ["order_status", { order: 7, words: "Zoë" }],
          ["send_digits", { digits: "1" }]
        ]
      )
      const uses = calls.map((call, i) => ({ id: `tool_1_${i + 1}`, ...call }))
      const second = yield* replied(
        mock,
        asked,
        { role: "agent", text: "One moment.", calls: uses },
        { role: "tool", id: "tool_1_1", name: "order_status", result: "shipped" },
        { role: "tool", id: "tool_1_2", name: "send_digits", result: "shipped" }
      )
      assert.strictEqual(textIn(second), "It was shipped.")
    })
  )

  it.live("fails in its own ways, and none is taken for an answer", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* failing({ dropRate: 1 }), "ModelUnavailable")
      assert.strictEqual(yield* failing({ rateLimitRate: 1 }), "ModelBusy")
      assert.strictEqual(yield* failing({ disconnectRate: 1 }), "ModelUnavailable")
      assert.include(["ModelUnusable", "ModelUnavailable"], yield* failing({ malformedRate: 1 }))
    })
  )

  it.scopedLive("breaks off within its answer", () =>
    Effect.gen(function* () {
      const mock = yield* serve((mock) => mock.on({}, anything, { chunkSize: 3, truncateAfterChunks: 4 }))
      const failure = yield* Effect.flip(replied(mock, callee("Hello?")))
      assert.strictEqual(failure._tag, "ModelUnavailable")
    })
  )

  it.scopedLive("reviews a call", () =>
    Effect.gen(function* () {
      const mock = yield* serve((mock) => mock.on({}, { content: JSON.stringify(review) }))
      const { review: found } = yield* Effect.provide(
        reviewOf(transcriptOf("A: Do you confirm?", "C: Yes, we are four."), questions),
        OpenAiCompatible.layer({ url: `${mock.url}/v1`, model: "test" })
      )
      assert.deepStrictEqual(found.answers, { confirmed: true, guests: 4, channel: "email", reason: null })
    })
  )
})
