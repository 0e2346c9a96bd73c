import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, TestClock } from "effect"
import * as SimulatedAgentModel from "../../../adapters/simulated/SimulatedAgentModel.ts"
import * as SimulatedReviewer from "../../../adapters/simulated/SimulatedReviewer.ts"
import {
  ModelBusy,
  type Reviewer,
  type TalkingModel,
  ToolFailed,
  type Tools
} from "../../../apps/library/main.ts"
import * as Talk from "../../../apps/library/ports/Talk.ts"
import { AgentModel } from "../../../core/ports/AgentModel.ts"
import { CallReviewer } from "../../../core/ports/CallReviewer.ts"
import { ToolRunner } from "../../../core/ports/ToolRunner.ts"
import { requestTo } from "../../adapters/tools/Rig.ts"
import { agentModelContract, replyBy, replyTo, requestOf } from "../../contracts/AgentModel.ts"
import { callReviewerContract, questions, reviewOf, transcriptOf } from "../../contracts/CallReviewer.ts"

const rules = Effect.runSync(Effect.scoped(Layer.build(SimulatedAgentModel.layer)))
const reviewing = Effect.runSync(Effect.scoped(Layer.build(SimulatedReviewer.layer)))

const ownModel: TalkingModel = {
  async *reply(request) {
    yield* await Effect.runPromise(replyBy(Context.get(rules, AgentModel), request))
  }
}
const ownReviewer: Reviewer = {
  review: (request) => Effect.runPromise(Context.get(reviewing, CallReviewer).review(request))
}

/** What was thrown that should not have been, by the function that threw it. */
const watched = () => {
  const told: Array<readonly [by: string, message: string]> = []
  const onError = (thrown: unknown, by: string) => void told.push([by, String((thrown as Error).message)])
  return { told, onError }
}

agentModelContract(
  "a plain object",
  Talk.agentModel(ownModel, () => {}),
  50
)
callReviewerContract(
  "a plain object",
  Talk.reviewer(ownReviewer, () => {}),
  20
)

const failing = (reply: unknown) =>
  Effect.gen(function* () {
    const { onError, told } = watched()
    const failure = yield* Effect.flip(replyTo(requestOf([]))).pipe(
      Effect.provide(Talk.agentModel({ reply } as TalkingModel, onError))
    )
    return { failure, told }
  })

describe("an agent's model of one's own", () => {
  it.effect("is told as it comes, and stopped when no more is wanted", () =>
    Effect.gen(function* () {
      const stopped = yield* Deferred.make<void>()
      const { onError, told } = watched()
      const plain: TalkingModel = {
        name: "mine",
        async *reply(_, signal) {
          yield { _tag: "Text", text: "Hello." }
          // It waits for what never comes: only the signal ends it.
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))
          Deferred.unsafeDone(stopped, Effect.void)
        }
      }
      const model = Context.get(yield* Layer.build(Talk.agentModel(plain, onError)), AgentModel)
      assert.strictEqual(model.name, "mine")
      const heard = yield* Deferred.make<string>()
      const reply = yield* Effect.fork(
        model.reply(
          requestOf([]),
          (part) => void Deferred.unsafeDone(heard, Effect.succeed(part._tag === "Text" ? part.text : ""))
        )
      )
      assert.strictEqual(yield* Deferred.await(heard), "Hello.")
      yield* Fiber.interrupt(reply)
      yield* Deferred.await(stopped)
      assert.deepStrictEqual(told, [])
    }).pipe(Effect.scoped)
  )

  it.effect("fails by the errors of the port, and is unavailable by any other", () =>
    Effect.gen(function* () {
      const busy = new ModelBusy({ message: "later", retry_after: 3 })
      const typed = yield* failing(async function* () {
        yield { _tag: "Text", text: "Hel" }
        throw busy
      })
      assert.strictEqual(typed.failure, busy)
      assert.deepStrictEqual(typed.told, [])
      for (const reply of [
        async function* () {
          throw new Error("secret")
        },
        () => {
          throw new Error("secret")
        }
      ]) {
        const { failure, told } = yield* failing(reply)
        assert.strictEqual(failure._tag, "ModelUnavailable")
        assert.notInclude(failure.message, "secret")
        assert.deepStrictEqual(told, [["agentModel.reply", "secret"]])
      }
    })
  )

  it.effect("is unavailable, and told of, when it answers what no part is", () =>
    Effect.gen(function* () {
      const parts = [
        { _tag: "Text", text: "" },
        { _tag: "Text" },
        "Hello",
        { _tag: "ToolCalls", calls: [{ name: "x" }] }
      ]
      for (const part of parts) {
        const { failure, told } = yield* failing(async function* () {
          yield part
        })
        assert.strictEqual(failure._tag, "ModelUnavailable")
        assert.lengthOf(told, 1)
      }
      for (const answer of ["Hello", ["Hello"], null, Promise.resolve([])]) {
        const { told } = yield* failing(() => answer)
        assert.deepStrictEqual(told, [
          ["agentModel.reply", "what agentModel.reply gives must be an async iterable"]
        ])
      }
    })
  )
})

describe("a reviewer of one's own", () => {
  const talk = transcriptOf("A: Hello.", "C: Yes.")
  const reviewed = (answers: Record<string, unknown>) =>
    Effect.provide(
      reviewOf(talk, questions),
      Talk.reviewer(
        {
          review: () => ({
            review: { summary: "x", sentiment: null, qualification_status: "unknown", answers }
          })
        },
        () => {}
      )
    )

  it.effect("is held to the questions that were asked", () =>
    Effect.gen(function* () {
      const { review, usage } = yield* reviewed({ confirmed: true, guests: "many", other: 1 })
      assert.deepStrictEqual(review.answers, { confirmed: true, guests: null, channel: null, reason: null })
      assert.deepStrictEqual(usage, { input_tokens: 0, output_tokens: 0 })
    })
  )

  it.effect("is unavailable, and told of, when it answers what no review is", () =>
    Effect.gen(function* () {
      const { onError, told } = watched()
      const plain = { review: () => ({ review: { summary: "x" } }) } as unknown as Reviewer
      const failure = yield* Effect.flip(reviewOf(talk)).pipe(Effect.provide(Talk.reviewer(plain, onError)))
      assert.strictEqual(failure._tag, "ModelUnavailable")
      assert.strictEqual(told[0]![0], "reviewer.review")
    })
  )
})

describe("tools of one's own", () => {
  const ran = (plain: Tools, onError = () => {}) =>
    Effect.flatMap(ToolRunner, (tools) => tools.run(requestTo("https://tools.example.com/"))).pipe(
      Effect.provide(Talk.tools(plain, onError))
    )
  const reason = (plain: Tools) => Effect.map(Effect.flip(ran(plain)), ({ reason }) => reason)

  it.effect("answer text that every store can hold", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* ran({ run: ({ tool }) => `${tool.name}\u0000 \ud800` }),
        "order_status \ufffd"
      )
      const most = "x".repeat(32 * 1_024)
      assert.strictEqual(yield* ran({ run: async () => most }), most)
      assert.strictEqual(yield* reason({ run: () => `${most}x` }), "too_long")
    })
  )

  it.effect("fail by ToolFailed with their own words, and by anything else without", () =>
    Effect.gen(function* () {
      const closed = new ToolFailed({ reason: "status", message: "the shop is closed" })
      const failure = yield* Effect.flip(
        ran({
          run: () => {
            throw closed
          }
        })
      )
      assert.strictEqual(failure, closed)
      assert.strictEqual(yield* reason({ run: () => Promise.reject(new Error("secret")) }), "unreachable")
      assert.strictEqual(yield* reason({ run: (() => 7) as never }), "unreachable")
    })
  )

  it.effect("have the tool's own time", () =>
    Effect.gen(function* () {
      const use = yield* Effect.fork(reason({ run: () => new Promise(() => {}) }))
      yield* TestClock.adjust("9999 millis")
      assert.isNull(use.unsafePoll())
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(use), "timeout")
    })
  )

  it.effect("vet addresses if they can", () =>
    Effect.gen(function* () {
      const vetted = (plain: Tools, url: string) =>
        Effect.flatMap(ToolRunner, (tools) => tools.vet(url)).pipe(
          Effect.provide(Talk.tools(plain, () => {}))
        )
      const run = () => ""
      yield* vetted({ run }, "gopher://anything")
      const picky: Tools = {
        run,
        vet: (url) => {
          if (!url.startsWith("https:")) throw new ToolFailed({ reason: "refused", message: "not https" })
        }
      }
      yield* vetted(picky, "https://tools.example.com/")
      assert.strictEqual(
        (yield* Effect.flip(vetted(picky, "http://tools.example.com/"))).message,
        "not https"
      )
    })
  )
})
