import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer, Schema } from "effect"
import * as FastCheck from "effect/FastCheck"
import type { ReviewQuestion } from "../../core/model/agents/Talk.ts"
import { Review } from "../../core/model/conversations/Review.ts"
import type { TranscriptTurn } from "../../core/model/conversations/Transcript.ts"
import { CallReviewer, type ReviewRequest } from "../../core/ports/CallReviewer.ts"

const turn = (role: TranscriptTurn["role"], text: string): TranscriptTurn => ({
  role,
  text,
  generated: null,
  started_at: 0,
  ended_at: 1_000,
  interrupted: false,
  digits: false,
  tool: null,
  first_token_ms: null,
  first_sound_ms: null
})

/** A transcript of lines such as "A: Hello." and "C: Yes?". */
export const transcriptOf = (...lines: ReadonlyArray<string>): ReadonlyArray<TranscriptTurn> =>
  lines.map((line) => turn(line.startsWith("A: ") ? "agent" : "callee", line.slice(3)))

export const toolTurn = (name: string, result = `{"ok":true}`): TranscriptTurn => ({
  ...turn("tool", result),
  tool: { id: "tool_1_1", name, arguments: "{}" }
})

export const question = (
  name: string,
  type: ReviewQuestion["type"],
  description: string,
  options: ReadonlyArray<string> = []
): ReviewQuestion => ({ name, type, description, options, required: false })

export const reviewOf = (
  transcript: ReadonlyArray<TranscriptTurn>,
  questions: ReadonlyArray<ReviewQuestion> = [],
  {
    language = "en-US",
    qualified_when = ""
  }: { readonly language?: string; readonly qualified_when?: string } = {}
) =>
  Effect.flatMap(CallReviewer, (reviewer) =>
    reviewer.review({
      session_id: "sess_1",
      agent: { name: "Mia", prompt: "You call to confirm an appointment.", language },
      policy: { questions, qualified_when },
      transcript
    })
  )

export const questions = [
  question("confirmed", "boolean", "Whether the callee confirmed the appointment"),
  question("guests", "number", "How many guests will come"),
  question("channel", "enum", "How the callee wants to be reminded", ["email", "text message"]),
  question("reason", "string", "Why the callee cannot come to the appointment")
]

const fits = ({ options, type }: ReviewQuestion, answer: unknown): boolean =>
  answer === null ||
  (type === "enum" ? typeof answer === "string" && options.includes(answer) : typeof answer === type)

const anyTurn = FastCheck.oneof(
  FastCheck.tuple(FastCheck.constantFrom("agent" as const, "callee" as const), FastCheck.string()).map(
    ([role, text]) => turn(role, text)
  ),
  FastCheck.constantFrom(
    ...transcriptOf(
      "A: Do you confirm the appointment?",
      "A: How many guests will come?",
      "C: Yes.",
      "C: No, 3 or 4.",
      "C: By email."
    ),
    toolTurn("do_not_call")
  )
)

/** Any talk at all, of up to a hundred turns. */
export const transcripts = FastCheck.array(anyTurn, { maxLength: 100 })

/** What every CallReviewer does that is well. */
export const callReviewerContract = <E>(name: string, layer: Layer.Layer<CallReviewer, E>, numRuns = 100) =>
  describe(`CallReviewer: ${name}`, () => {
    it.effect("answers each question by its type or not at all, whatever was said", () =>
      Effect.flatMap(CallReviewer, (reviewer) =>
        Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(transcripts, async (transcript) => {
              const request: ReviewRequest = {
                session_id: "sess_1",
                agent: { name: "", prompt: "", language: "en" },
                policy: { questions, qualified_when: "confirmed is true" },
                transcript
              }
              const { review, usage } = await Effect.runPromise(reviewer.review(request))
              assert.isTrue(Schema.is(Review)(review))
              assert.deepStrictEqual(
                Object.keys(review.answers),
                questions.map(({ name }) => name)
              )
              for (const each of questions) assert.isTrue(fits(each, review.answers[each.name]), each.name)
              assert.notStrictEqual(review.summary, "")
              assert.isAtLeast(usage.input_tokens, 0)
            }),
            { numRuns }
          )
        )
      ).pipe(Effect.provide(layer))
    )

    it.effect("leaves unknown who is qualified when the agent does not say what qualifies", () =>
      Effect.gen(function* () {
        const { review } = yield* reviewOf(
          transcriptOf("A: Hello, do you confirm the appointment?", "C: Yes, great.")
        )
        assert.strictEqual(review.qualification_status, "unknown")
        assert.deepStrictEqual(review.answers, {})
      }).pipe(Effect.provide(layer))
    )

    it.effect("answers nothing of a talk in which nothing was said", () =>
      Effect.gen(function* () {
        const { review } = yield* reviewOf([], questions, { qualified_when: "confirmed is true" })
        assert.deepStrictEqual(Object.values(review.answers), [null, null, null, null])
        assert.strictEqual(review.qualification_status, "unknown")
      }).pipe(Effect.provide(layer))
    )

    it.effect("takes names that objects have anyway", () =>
      Effect.gen(function* () {
        const odd = ["constructor", "__proto__", "toString"].map((name) => question(name, "boolean", "x"))
        const { review } = yield* reviewOf([], odd)
        assert.deepStrictEqual(Object.keys(review.answers), ["constructor", "__proto__", "toString"])
      }).pipe(Effect.provide(layer))
    )
  })
