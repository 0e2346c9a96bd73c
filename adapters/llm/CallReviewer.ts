import { Effect, Hash, Layer, Schema } from "effect"
import { answersTo, Qualification, type Review, Sentiment } from "../../core/model/conversations/Review.ts"
import { CallReviewer, type ReviewRequest } from "../../core/ports/CallReviewer.ts"
import { tidy } from "./Answers.ts"
import { Model } from "./Model.ts"
import * as ReviewPrompt from "./prompts/review.ts"

/** Answers come as a list: a schema can then do without the questions' names, which may be any. */
const ReviewAnswer = Schema.Struct({
  summary: Schema.String.pipe(Schema.filter((text) => tidy(text, 1) !== "" || "must not be empty")),
  sentiment: Sentiment,
  qualification_status: Qualification,
  answers: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      answer: Schema.NullOr(Schema.Union(Schema.String, Schema.Number, Schema.Boolean))
    })
  )
})

const mostSummary = 2_000
const mostAnswer = 2_000

/** A call on which the callee said nothing: no model is asked what was learnt. */
const silent = ({ policy }: ReviewRequest): Review => ({
  summary: "The callee said nothing.",
  sentiment: null,
  qualification_status: "unknown",
  answers: answersTo(policy.questions, new Map())
})

const make = Effect.gen(function* () {
  const model = yield* Model

  const review = Effect.fn("CallReviewer.review")(function* (request: ReviewRequest) {
    const { policy, session_id, transcript } = request
    if (!transcript.some(({ role, text }) => role === "callee" && text.trim() !== "")) {
      return { review: silent(request), usage: { input_tokens: 0, output_tokens: 0 } }
    }
    const { usage, value } = yield* model.ask({
      name: "review",
      schema: ReviewAnswer,
      messages: [
        { role: "system", content: ReviewPrompt.system },
        { role: "user", content: ReviewPrompt.user(request) }
      ],
      seed: Hash.string(session_id) & 0x7fffffff,
      deadline: yield* model.deadline
    })
    const given = new Map(
      value.answers.map(({ answer, name }) => [
        name,
        typeof answer === "string" ? tidy(answer, mostAnswer) : answer
      ])
    )
    return {
      review: {
        summary: tidy(value.summary, mostSummary),
        sentiment: value.sentiment,
        qualification_status: policy.qualified_when.trim() === "" ? "unknown" : value.qualification_status,
        answers: answersTo(policy.questions, given)
      } satisfies Review,
      usage
    }
  })

  return CallReviewer.of({ review })
})

/** Reviews by a model. */
export const layer: Layer.Layer<CallReviewer, never, Model> = Layer.effect(CallReviewer, make)
