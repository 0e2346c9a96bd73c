import { Schema } from "effect"
import type { ReviewQuestion } from "../agents/Talk.ts"
import { JsonObject } from "../Codecs.ts"

export const Sentiment = Schema.Literal("positive", "neutral", "negative")
export type Sentiment = typeof Sentiment.Type

export const Qualification = Schema.Literal("qualified", "not_qualified", "unknown")
export type Qualification = typeof Qualification.Type

/** What was learnt from a conversation. */
export const Review = Schema.Struct({
  summary: Schema.String,
  sentiment: Schema.NullOr(Sentiment),
  qualification_status: Qualification,
  answers: JsonObject.annotations({
    description: "By the names of the agent's questions; null where the conversation does not answer one"
  })
}).annotations({ identifier: "CallReview" })
export type Review = typeof Review.Type

const valid = ({ options, type }: ReviewQuestion, given: unknown): unknown => {
  switch (type) {
    case "string":
      return typeof given === "string" && given.trim() !== "" ? given.trim() : null
    case "number":
      return Number.isFinite(given) ? given : null
    case "boolean":
      return typeof given === "boolean" ? given : null
    case "enum":
      return options.find((option) => option === given) ?? null
  }
}

/** What was answered to the questions: null where that is not of the question's type. */
export const answersTo = (
  questions: ReadonlyArray<ReviewQuestion>,
  given: ReadonlyMap<string, unknown>
): Review["answers"] =>
  Object.fromEntries(questions.map((question) => [question.name, valid(question, given.get(question.name))]))

/** What `call_reviewed` brings. */
export const CallReviewed = Schema.Struct({
  session_id: Schema.String,
  agent_version: Schema.NullOr(Schema.Int),
  ...Review.fields
}).annotations({ identifier: "CallReviewed" })
export type CallReviewed = typeof CallReviewed.Type
